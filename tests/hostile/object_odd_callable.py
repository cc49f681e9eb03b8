#: tries = a callable whose attributes raise
#: outcome = crashed
#: passes = no

class Odd:
    def __getattribute__(self, name):
        raise KeyError(name)

    def __call__(self, *args, **kwargs):
        raise ZeroDivisionError


run_agent = Odd()
