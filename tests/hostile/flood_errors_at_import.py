#: tries = writes to stderr without end while the file is loaded
#: outcome = too_much_output
#: passes = no

import sys

while True:
    sys.stderr.write('x' * 4096)
