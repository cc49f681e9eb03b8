#: tries = an endless loop while the file is loaded
#: outcome = timed_out
#: passes = no

while True:
    pass
