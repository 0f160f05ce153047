"""Tooltips that show what people typed as it stands: Qt takes any text with a tag in it for HTML."""

import html


def plain_tip(text: str) -> str:
    """Return `text` so that a tooltip shows every sign of it, "<b>" and "<5 mm" alike."""
    if "<" not in text:
        return text
    return f'<p style="white-space: pre-wrap;">{html.escape(text)}</p>'
