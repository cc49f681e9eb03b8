"""The part of the sandbox that runs inside it, beside the learner's code. It holds no secret and decides nothing.

These modules import the standard library, and the SDK late; nothing else of the grader. Whatever they say to the grader
is a
claim: learner code in the same process can change any of it.
"""
