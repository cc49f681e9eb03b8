"""Faults with requests that fail for good."""

from mutants.mutant import Mutant

FAILED = """        except anthropic.APIError:
            return "api_error", messages
"""

MUTANTS = [
    Mutant(
        "api-error-escapes",
        "G06",
        "gates",
        "nothing is caught around the request",
        [
            (
                FAILED,
                """        except ZeroDivisionError:
            return "api_error", messages
""",
            )
        ],
    ),
    Mutant(
        "only-rate-limits-caught",
        "G06",
        "gates",
        "RateLimitError is caught, every other failure escapes",
        [
            (
                FAILED,
                """        except anthropic.RateLimitError:
            return "api_error", messages
""",
            )
        ],
    ),
    Mutant(
        "only-connection-errors-caught",
        "G06",
        "gates",
        "APIConnectionError is caught, a status error escapes",
        [
            (
                FAILED,
                """        except anthropic.APIConnectionError:
            return "api_error", messages
""",
            )
        ],
    ),
    Mutant(
        "api-error-says-error",
        "L15",
        "gates",
        "a status of the loop's own",
        [
            (
                FAILED,
                """        except anthropic.APIError:
            return "error", messages
""",
            )
        ],
    ),
    Mutant(
        "api-error-says-done",
        "L15",
        "gates",
        "a failed request ends the run as done",
        [
            (
                FAILED,
                """        except anthropic.APIError:
            return "done", messages
""",
            )
        ],
    ),
    Mutant(
        "api-error-tried-again",
        "L14",
        "gates",
        "the loop tries again after the SDK's own retries",
        [
            (
                FAILED,
                """        except anthropic.APIError:
            try:
                reply = ask(client, messages, tools)
            except anthropic.APIError:
                return "api_error", messages
""",
            )
        ],
    ),
    Mutant(
        "api-error-in-the-history",
        "L16",
        "gates",
        "the failure is written into the history",
        [
            (
                FAILED,
                """        except anthropic.APIError as problem:
            messages.append({"role": "assistant", "content": f"API error: {problem}"})
            return "api_error", messages
""",
            )
        ],
    ),
    Mutant(
        "api-error-rolls-back",
        "L16",
        "gates",
        "the results that the failed request held are thrown away",
        [
            (
                FAILED,
                """        except anthropic.APIError:
            return "api_error", messages[:-1]
""",
            )
        ],
    ),
    Mutant(
        "api-error-loses-the-history",
        "L16",
        "gates",
        "the failed run returns an empty list",
        [
            (
                FAILED,
                """        except anthropic.APIError:
            return "api_error", []
""",
            )
        ],
    ),
    Mutant(
        "only-server-errors-caught",
        "G06",
        "gates",
        "a failure that is the caller's own (4xx) escapes",
        [("except anthropic.APIError:", "except (anthropic.InternalServerError, anthropic.APIConnectionError):")],
    ),
    Mutant(
        "overload-waited-for",
        "L14",
        "gates",
        "an overloaded API is asked again after a pause",
        [
            (
                "        except anthropic.APIError:\n",
                """        except anthropic.OverloadedError:
            time.sleep(30)
            reply = ask(client, messages, tools)
        except anthropic.APIError:
""",
            )
        ],
    ),
    Mutant(
        "retries-of-the-sdk-off",
        ("L13", "G07"),
        "gates",
        "max_retries=0: a passing rate limit ends the run",
        [("return client.messages.create(", "return client.with_options(max_retries=0).messages.create(")],
    ),
]
