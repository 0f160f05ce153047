"""USE CASES: one method is one transaction over the ports of `ports`.

May import domain and analysis. Must not know SQL, file layouts or Qt.
"""
