"""Risk by meaning: would a reader conclude the protected thing from a sentence?"""
