"""How far tokenizers agree with the ARK corpus' own tokens, and how many messages they cut in a second.

FOLDER has the corpus as published: twpos-data-v0.3 and, with the tweets as they were written,
twpos-data-v0.3-original-tweets. A tweet is taken up if its tokens, without white space, are its text (all but five of
2,374); texts and tokens are matched by this, since those of Oct27 do not come in the same order. Spans are compared in
the text without white space: F1 of whole tokens, and the share of tweets with all tokens alike. A tokenizer that
changes the text (user names, long runs, entities) loses the rest of that tweet.

Rules of this library's tokenizer were drawn up on Oct27, and the errors on Daily547 were seen once. Candidates that are
not installed are passed over.

    python benchmarks/tokenizers.py FOLDER [--repeats 5] [--out results.json]
"""

import argparse
import html
import json
from collections.abc import Callable
from pathlib import Path

from side_by_side import interleaved_seconds

from reproduction.corpora.readers.ark import read_ark
from reproduction.sentiment.tokenizer import tokenize

PARTS = ("oct27", "daily547")
Tokenizer = Callable[[str], list[str]]


def aligned(folder: Path, part: str) -> list[tuple[str, list[str]]]:
    """Return the text and the tokens of every tweet for which they say the same."""
    path = folder / f"twpos-data-v0.3-original-tweets/{part}.tweets.json.tsv"
    texts: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            text = html.unescape(json.loads(line.split("\t", 2)[2])["text"])
            texts["".join(text.split())] = text
    [document] = read_ark(folder / f"twpos-data-v0.3/{part}.conll")
    keys = ("".join("".join(sentence.words).split()) for sentence in document.sentences)
    pairs = zip(keys, document.sentences, strict=True)
    return [(texts[key], list(sentence.words)) for key, sentence in pairs if key in texts]


def candidates() -> dict[str, Tokenizer]:
    """Return the tokenizers that are installed."""
    found: dict[str, Tokenizer] = {"nlpcalib": tokenize, "white space": str.split}
    try:
        from nltk.tokenize import TweetTokenizer

        found["NLTK TweetTokenizer"] = TweetTokenizer().tokenize
    except ImportError:
        pass
    try:
        from twokenize import tokenize as twokenize

        found["twokenize"] = twokenize
    except ImportError:
        pass
    try:
        from somajo import SoMaJo

        somajo = SoMaJo("en_PTB", split_sentences=False)
        found["SoMaJo en_PTB"] = lambda text: [token.text for part in somajo.tokenize_text([text]) for token in part]
    except ImportError:
        pass
    try:
        from ekphrasis.classes.tokenizer import SocialTokenizer

        found["ekphrasis"] = SocialTokenizer(lowercase=False).tokenize
    except ImportError:
        pass
    return found


def spans(tokens: list[str]) -> set[tuple[int, int]]:
    """Return where tokens stand in the text without white space."""
    found, start = set(), 0
    for token in tokens:
        end = start + len("".join(token.split()))
        if end > start:
            found.add((start, end))
        start = end
    return found


def agreement(tokenizer: Tokenizer, tweets: list[tuple[str, list[str]]]) -> dict[str, float]:
    """Return F1 of tokens and the share of tweets with all tokens alike."""
    both = ours = theirs = alike = 0
    for text, tokens in tweets:
        found, expected = spans(tokenizer(text)), spans(tokens)
        both += len(found & expected)
        ours += len(found)
        theirs += len(expected)
        alike += found == expected
    return {"f1": 2 * both / (ours + theirs), "tweets_alike": alike / len(tweets)}


def main(folder: Path, repeats: int, out: Path | None) -> None:
    """Measure every candidate, print a table and write it as JSON."""
    tweets = {part: aligned(folder, part) for part in PARTS}
    texts = [text for part in PARTS for text, _ in tweets[part]]
    tokenizers = candidates()
    calls = {name: lambda cut=cut: [cut(text) for text in texts] for name, cut in tokenizers.items()}
    seconds = interleaved_seconds(calls, repeats)
    result = {}
    print(f"{', '.join(f'{part} {len(tweets[part])} tweets' for part in PARTS)}; token F1 and tweets alike; messages/s")
    for name, cut in tokenizers.items():
        row = {part: agreement(cut, tweets[part]) for part in PARTS}
        rate = len(texts) / sorted(seconds[name])[repeats // 2]
        result[name] = {**row, "messages_per_second": rate, "seconds": seconds[name]}
        columns = "".join(f"{row[part]['f1']:9.4f}{row[part]['tweets_alike']:7.1%}" for part in PARTS)
        print(f"{name:22}{columns}{rate:12,.0f}")
    if out:
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    main(arguments.folder, arguments.repeats, arguments.out)
