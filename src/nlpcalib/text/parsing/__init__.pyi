from nlpcalib.text.parsing.model import load_parser as load_parser
from nlpcalib.text.parsing.parser import Parser as Parser
