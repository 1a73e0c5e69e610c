from nlpcalib.systems.text.parsing.model import load_parser as load_parser
from nlpcalib.systems.text.parsing.parser import Parser as Parser
