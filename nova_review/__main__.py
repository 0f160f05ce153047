"""`python -m nova_review` and the console script `nova-review`."""

import sys

from nova_review.bootstrap import main

if __name__ == "__main__":
    sys.exit(main())
