#: tries = the name is there and is no function
#: outcome = crashed
#: passes = no

run_agent = 'a text'
