"""Sets the course up and opens it.

    python3 start.py                opens JupyterLab on chapter 1
    python3 start.py --no-browser   the same on a server: prints the address instead of opening it
    python3 start.py test           runs all tests and exits with their code

What follows is passed on: to JupyterLab, or after "test" to pytest. The set-up makes a folder .venv here and installs
the requirements into it; it is done again only when they change.
"""

# This file must parse on Python 3.6, so that an old Python gets a sentence and not a syntax error. It uses the
# standard library only.

import hashlib
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python.exe" if os.name == "nt" else "python")
NEEDED = (3, 11)
LEARN = ["requirements.txt"]
TEST = ["requirements.txt", "requirements-dev.txt"]


def main(arguments):
    """Do what the command line says. Returns the exit code."""
    if arguments[:1] and arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    problem = what_is_missing()
    if problem:
        print(problem, file=sys.stderr)
        return 2
    if arguments[:1] == ["test"]:
        return set_up(TEST) or run(["-m", "pytest", "-n", "auto", "--dist", "loadfile"] + arguments[1:])
    # The root is set, or it would be the notebook's folder and links to ../solutions would lead nowhere.
    return set_up(LEARN) or run(["-m", "jupyterlab", first_chapter(), "--ServerApp.root_dir=" + ROOT] + arguments)


def what_is_missing():
    """What keeps this Python from setting the course up, in words for a person. None when all is there."""
    if sys.version_info < NEEDED:
        newer = newer_python()
        return "This course needs Python 3.11 or newer. This is Python {}.{}.\n{}".format(
            sys.version_info[0],
            sys.version_info[1],
            f"Try: {newer} start.py" if newer else "Install a newer Python, then run start.py with it.",
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        return "This Python cannot make a virtual environment: it has no module {}.\n{}".format(
            error.name,
            "On Debian or Ubuntu: apt install python3-venv. Then run start.py again."
            if sys.platform.startswith("linux")
            else "Install Python from python.org, which has it. Then run start.py again.",
        )
    return None


def newer_python():
    """The name of a newer Python on this machine that really starts, or None."""
    for minor in range(20, NEEDED[1] - 1, -1):
        name = f"python3.{minor}"
        if (
            shutil.which(name)
            and subprocess.call([name, "-V"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
        ):
            return name
    return None


def set_up(files):
    """Make .venv and install the requirements, unless that is done. Returns 0, or the code of the step that failed."""
    if os.path.exists(PYTHON) and any(installed(known) for known in (LEARN, TEST) if set(files) <= set(known)):
        return 0
    if not os.path.exists(PYTHON) or read(os.path.join(VENV, "made-for")) != sys.version:
        print("Making .venv ...", flush=True)
        code = subprocess.call([sys.executable, "-m", "venv", "--clear", VENV])
        if code:
            print("Making .venv failed; the lines above say why.", file=sys.stderr)
            return code
        write(os.path.join(VENV, "made-for"), sys.version)
    print("Installing {} (a few minutes the first time) ...".format(" and ".join(files)), flush=True)
    command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", ROOT]
    for name in files:
        command += ["--requirement", os.path.join(ROOT, name)]
    code = run(command)
    if code:
        print("Installing failed; the lines above say why. Running start.py again tries again.", file=sys.stderr)
        return code
    keep_lab_quiet()
    write(stamp(files), fingerprint(files))
    print("Ready.", flush=True)
    return 0


def keep_lab_quiet():
    """Switch JupyterLab's news off, in .venv only: a course that works offline should not ask to fetch them."""
    folder = os.path.join(VENV, "etc", "jupyter", "labconfig")
    os.makedirs(folder, exist_ok=True)
    off = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    write(os.path.join(folder, "page_config.json"), json.dumps(off))


def installed(files):
    """Whether these requirements, as they are now, were installed before."""
    return read(stamp(files)) == fingerprint(files)


def stamp(files):
    """The path of the file that holds the fingerprint of what was installed."""
    return os.path.join(VENV, "installed-" + "-".join(name.split(".")[0] for name in files))


def fingerprint(files):
    """One word that changes when the requirements, the Python or the place of this folder do."""
    seen = hashlib.sha256()
    for name in files + ["pyproject.toml"]:
        with open(os.path.join(ROOT, name), "rb") as file:
            seen.update(file.read())
    seen.update((sys.version + ROOT).encode("utf-8"))
    return seen.hexdigest()


def first_chapter():
    """The notebook to open: chapter 1."""
    folder = os.path.join(ROOT, "notebooks")
    found = sorted(name for name in os.listdir(folder) if name.startswith("01_") and name.endswith(".ipynb"))
    return os.path.join("notebooks", found[0])


def run(command):
    """Run the Python of .venv in this folder and wait for it. Ctrl-C is its business. Returns its exit code."""
    env = dict(os.environ, PATH=BIN + os.pathsep + os.environ.get("PATH", ""), VIRTUAL_ENV=VENV)
    env.pop("PYTHONHOME", None)
    process = subprocess.Popen([PYTHON] + command, cwd=ROOT, env=env)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            pass


def read(path):
    """The text of a small file, None when it isn't there."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def write(path, text):
    """Write a small file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
