"""The house rules that no other tool checks: sizes of functions and files, broad excepts, words, paths.

Run from the root of the checkout: `python scripts/house_rules.py`; prints each breach and exits 1.
"""

import ast
import io
import re
import statistics
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

MOST_LINES_OF_A_FILE = 500
MOST_LINES_OF_A_FUNCTION = 50
SHORT_FUNCTION = 25
MEDIAN_OF_FUNCTIONS = 10
BROAD_EXCEPT_MAY_STAND_IN = (
    "nova_review/cli/guard.py",  # the top of the command line
    "nova_review/ui/excepthook.py",  # the top of the window
    "nova_review/ui/tasks.py",  # the top of each worker
)
# Our own words (README, "Words"); what other people's files call things is quoted in formats alone.
OTHER_WORDS = re.compile(r"annotator|label+er\b|ground[ _-]?truth|\bconsensus\b", re.IGNORECASE)
WORDS_APPLY_TO = ("nova_review/domain/", "nova_review/ui/", "nova_review/cli/", "nova_review/services/")
PRIVATE = re.compile(
    r"(?<![\w./~-])(?:/work|/root|" + re.escape(str(Path.home())) + ")/"  # paths of one machine
    r"|https?://[^\s\"'>]*/simple\b"  # package hosts
)
TEXT_SUFFIXES = {"", ".py", ".md", ".toml", ".sh", ".ini", ".cfg", ".json", ".qss", ".svg", ".txt", ".yml"}
PLACES = ("*.md", "*.toml", ".ci/*", "nova_review/**/*.py", "resources/**/*", "scripts/**/*", "tests/**/*.py")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def project_files() -> list[str]:
    """Paths of the files that git knows or would add, relative to the root; without git, of all."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = [str(path) for top in PLACES for path in Path().glob(top)]
    return sorted({name for name in listed if Path(name).is_file()})


def function_lines(node: Function) -> int:
    """Lines of a function without its docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is not None:
        text = node.body[0]
        lines -= (text.end_lineno or text.lineno) - text.lineno + 1
    return lines


def functions_of(tree: ast.Module) -> Iterator[Function]:
    """Every function and method, inner ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def size_breaches(name: str, source: str) -> Iterator[str]:
    """A file that is too long, and its functions that are."""
    if source.count("\n") > MOST_LINES_OF_A_FILE:
        yield f"{name}: {source.count(chr(10))} lines, at most {MOST_LINES_OF_A_FILE} are allowed"
    for node in functions_of(ast.parse(source)):
        if function_lines(node) > MOST_LINES_OF_A_FUNCTION:
            yield f"{name}:{node.lineno}: {node.name} has {function_lines(node)} lines"


def spread_breaches(lengths: list[int]) -> Iterator[str]:
    """What the lengths of all functions together say."""
    if not lengths:
        return
    median = statistics.median(lengths)
    short = sum(n <= SHORT_FUNCTION for n in lengths) / len(lengths)
    if median > MEDIAN_OF_FUNCTIONS:
        yield f"the median function has {median:g} lines, at most {MEDIAN_OF_FUNCTIONS} are allowed"
    if short < 0.9:
        yield f"only {short:.0%} of the functions have {SHORT_FUNCTION} lines or fewer"


def broad_excepts(name: str, source: str) -> Iterator[str]:
    """Handlers that catch everything, outside the places that are made for it."""
    if name in BROAD_EXCEPT_MAY_STAND_IN:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler) and _catches_everything(node) and not _raises_again(node):
            yield f"{name}:{node.lineno}: a broad except"


def _catches_everything(node: ast.ExceptHandler) -> bool:
    return node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException")


def _raises_again(node: ast.ExceptHandler) -> bool:
    return any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))


def other_words(name: str, source: str) -> Iterator[str]:
    """Names and texts that call a thing of ours by another word; comments may."""
    if not name.startswith(WORDS_APPLY_TO):
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        found = OTHER_WORDS.search(token.string)
        if found and token.type in (tokenize.NAME, tokenize.STRING):
            yield f"{name}:{token.start[0]}: the word {found.group()!r} is not one of ours"


def private_words(name: str, text: str) -> Iterator[str]:
    """Paths of one machine and hosts of packages."""
    for number, line in enumerate(text.splitlines(), start=1):
        for found in PRIVATE.finditer(line):
            yield f"{name}:{number}: {found.group()!r} must not stand in the project"


def breaches() -> Iterator[str]:
    """Every breach of the house rules in this checkout."""
    lengths: list[int] = []
    for name in project_files():
        if Path(name).suffix not in TEXT_SUFFIXES or name == "scripts/house_rules.py":
            continue
        text = Path(name).read_text(encoding="utf-8")
        yield from private_words(name, text)
        if name.startswith("nova_review/") and name.endswith(".py"):
            try:
                lengths += [function_lines(node) for node in functions_of(ast.parse(text))]
            except SyntaxError as error:
                yield f"{name}:{error.lineno}: not Python: {error.msg}"
                continue
            yield from size_breaches(name, text)
            yield from broad_excepts(name, text)
            yield from other_words(name, text)
    yield from spread_breaches(lengths)


def main() -> int:
    """Print the breaches; 1 if there are any."""
    found = list(breaches())
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
