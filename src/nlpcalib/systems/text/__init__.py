"""Documents with words, tags, trees and dates, and the files they are read from."""
