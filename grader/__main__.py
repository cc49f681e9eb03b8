"""``python -m grader``: the same commands as ``grader``."""

import sys


def main() -> None:
    """Run the command line. Linting plain file names skips the option parser, whose import alone takes longer than the linting."""
    words = sys.argv[1:]
    if words[:1] == ["lint"] and len(words) > 1 and not any(word.startswith("-") for word in words[1:]):
        from grader.commands.lint import lint_files

        sys.exit(lint_files(words[1:]))
    from grader.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
