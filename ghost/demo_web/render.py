"""A page as HTML, with all that stands around the text on a real site, or as a PDF."""

import html
import json
import textwrap
import zlib
from collections.abc import Sequence
from datetime import date
from typing import Any

from ghost.demo_web.library import Site
from ghost.demo_web.page import Page, is_table, rows

_STYLE = "body { font-family: serif; margin: 2rem; max-width: 46rem } nav a { margin-right: 1rem }"
_WIDTH, _HEIGHT, _MARGIN, _SIZE, _LEADING = 595, 842, 64, 11, 15
_COLUMN = 84
_LINES = (_HEIGHT - 2 * _MARGIN) // _LEADING


def page_html(page: Page, site: Site, others: Sequence[Page], origin: str) -> str:
    """The whole document; ``others`` are linked beside the text, ``origin`` is the site's scheme and host."""
    language = page.head.language or site.language
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>{_text(page.head.title)} | {_text(site.name)}</title>
<meta property="og:site_name" content="{_text(site.name)}">
<meta property="og:title" content="{_text(page.head.title)}">
<meta name="description" content="{_text(page.head.description or page.text[:150])}">
<link rel="canonical" href="{origin}/{page.path}">
{_head_dates(page, site, origin)}<style>{_STYLE}</style>
</head>
<body>
<div class="cookies">We use cookies. <button>Accept all</button> <button>Settings</button></div>
<header><a href="/">{_text(site.name)}</a>
<nav><a href="/">Home</a> <a href="/">News</a> <a href="/">Sport</a> <a href="/">Log in</a></nav>
</header>
<main><article>
<h1>{_text(page.head.title)}</h1>
{_byline(page, site)}{"".join(map(_block, page.blocks))}{_credit(page)}</article></main>
<aside><h2>Read next</h2><ul>{"".join(map(_link, others))}</ul>
<div class="advert">Advertisement: slippers that are warm in winter. Order today!</div></aside>
<footer>Copyright {_text(site.name)}. Imprint. Privacy. Newsletter. All of this is made up.</footer>
</body>
</html>
"""


def front_html(site: Site, pages: Sequence[Page]) -> str:
    """The first page of a site: a list of its pages."""
    return _document(site.name, f"<p>{_text(site.about)}</p><ul>{''.join(map(_link, pages))}</ul>")


def atlas_html(sites: Sequence[tuple[str, Site, Sequence[Page]]], port: int) -> str:
    """The list of everything, for a person who opens the demo web's own address in a browser."""
    out = ['<form action="/search"><input name="q" aria-label="Search words"> <button>Search</button></form>']
    for host, site, pages in sites:
        out.append(f"<h2>{host}</h2><p>{_text(site.name)}: {_text(site.about)}</p><ul>")
        out += [f'<li><a href="/at/{page.name}">{_text(page.head.title)}</a> ({page.head.kind})</li>' for page in pages]
        out.append("</ul>")
    return _document(f"The demo web on port {port}", "".join(out))


def hits_html(query: str, hits: Sequence[tuple[str, str, str]]) -> str:
    """Search hits (name, title, snippet) for a person."""
    found = "".join(f'<li><a href="/at/{n}">{_text(t)}</a><br>{n}<br>{_text(s)}</li>' for n, t, s in hits)
    return _document(f"{query} - search", f"<ol>{found}</ol>")


def _document(title: str, body: str) -> str:
    head = f'<head><meta charset="utf-8"><title>{_text(title)}</title></head>'
    return f'<!DOCTYPE html>\n<html lang="en">{head}<body><h1>{_text(title)}</h1>{body}</body></html>\n'


def _block(block: str) -> str:
    if block.startswith("<"):
        return f"{block}\n"
    if block.startswith("## "):
        return f"<h2>{_text(block[3:])}</h2>\n"
    if is_table(block):
        head, *body = rows(block)
        lines = "".join("<tr>" + "".join(f"<td>{_text(c)}</td>" for c in cells) + "</tr>" for cells in body)
        return f"<table><tr>{''.join(f'<th>{_text(c)}</th>' for c in head)}</tr>{lines}</table>\n"
    return f"<p>{_text(' '.join(block.split()))}</p>\n"


def _byline(page: Page, site: Site) -> str:
    author = f"By {_text(page.head.author)}" if page.head.author else ""
    published = page.head.published
    if published and site.dates == "time":
        author += f' <time datetime="{published.isoformat()}">{_long(published)}</time>'
    if published and site.dates == "text":
        author += f" Published: {_long(published)}"
    return f'<p class="byline">{author.strip()}</p>\n' if author else ""


def _credit(page: Page) -> str:
    return f'<p class="source">Source: {_text(page.head.credit)}</p>\n' if page.head.credit else ""


def _head_dates(page: Page, site: Site, origin: str) -> str:
    head, out = page.head, ""
    if site.dates == "meta" and head.published:
        out += f'<meta property="article:published_time" content="{head.published.isoformat()}T08:00:00+00:00">\n'
        if head.modified:
            out += f'<meta property="article:modified_time" content="{head.modified.isoformat()}T08:00:00+00:00">\n'
    if site.dates == "json-ld" and not head.review_claim:
        out += _json_ld({"@type": "NewsArticle", "headline": head.title} | _dates(page) | _made_by(page, site))
    if head.review_claim:
        out += _json_ld(_review(page, site, origin))
    return out


def _review(page: Page, site: Site, origin: str) -> dict[str, Any]:
    head = page.head
    rating = {
        "@type": "Rating",
        "ratingValue": head.review_value,
        "worstRating": 1,
        "bestRating": 5,
        "alternateName": head.review_rating,
    }
    claim = {"@type": "Claim", "author": {"@type": "Organization", "name": head.claimant}}
    return {
        "@type": "ClaimReview",
        "url": f"{origin}/{page.path}",
        "claimReviewed": head.review_claim,
        "itemReviewed": claim,
        "reviewRating": rating,
        **_dates(page),
        "author": {"@type": "Organization", "name": site.name, "url": f"{origin}/"},
    }


def _dates(page: Page) -> dict[str, str]:
    named = {"datePublished": page.head.published, "dateModified": page.head.modified}
    return {name: day.isoformat() for name, day in named.items() if day}


def _made_by(page: Page, site: Site) -> dict[str, Any]:
    author = {"author": {"@type": "Person", "name": page.head.author}} if page.head.author else {}
    return author | {"publisher": {"@type": "Organization", "name": site.name}}


def _json_ld(data: dict[str, Any]) -> str:
    text = json.dumps({"@context": "https://schema.org"} | data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>\n'


def _link(page: Page) -> str:
    return f'<li><a href="/{page.path}">{_text(page.head.title)}</a></li>'


def _long(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _text(text: str) -> str:
    return html.escape(text)


def pdf(title: str, paragraphs: Sequence[str], author: str = "", published: date | None = None) -> bytes:
    """The file. Characters that Western European PDF text does not have become question marks."""
    lines: list[str] = []
    for paragraph in (title, *paragraphs):
        for line in paragraph.splitlines():
            lines += textwrap.wrap(line, _COLUMN) or [""]
        lines.append("")
    sheets = [lines[start : start + _LINES] for start in range(0, len(lines), _LINES)]
    made = f" /CreationDate (D:{published:%Y%m%d}090000Z)".encode() if published else b""
    info = b"<< /Title (%b) /Author (%b)%b >>" % (_string(title), _string(author), made)
    return _file(_objects(sheets, info))


def _objects(sheets: Sequence[Sequence[str]], info: bytes) -> list[bytes]:
    """The numbered objects: 1 catalogue, 2 pages, 3 font, 4 information, then sheet and content in turn."""
    kids = b" ".join(b"%d 0 R" % (5 + 2 * sheet) for sheet in range(len(sheets)))
    out = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, len(sheets)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        info,
    ]
    for lines in sheets:
        content = zlib.compress(_content(lines))
        place = (_WIDTH, _HEIGHT, len(out) + 2)
        out.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % place
        )
        out.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(content), content))
    return out


def _content(lines: Sequence[str]) -> bytes:
    start = b"BT /F1 %d Tf %d TL %d %d Td\n" % (_SIZE, _LEADING, _MARGIN, _HEIGHT - _MARGIN)
    return start + b"".join(b"(" + _string(line) + b") Tj T*\n" for line in lines) + b"ET"


def _file(objects: Sequence[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\n" % (len(objects) + 1)
    return out + table + trailer + b"startxref\n%d\n%%%%EOF\n" % len(out)


def _string(text: str) -> bytes:
    """The inside of a PDF string."""
    encoded = text.encode("cp1252", "replace")
    return encoded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
