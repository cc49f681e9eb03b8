#: tries = the same while the file is loaded
#: outcome = out_of_memory
#: passes = no

hoard = []
while True:
    hoard.append(bytearray(8 << 20))
