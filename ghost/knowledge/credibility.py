"""What is known about a source by its address: how credible it is, what kind of publisher, which domain."""

import ipaddress
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import lru_cache
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from ghost.text import ascii_host
from ghost.types import SourceType, original, suffix_list

T = TypeVar("T")

LIBRARY = "starter-library"
"""The entry under which the analyst rates the library; it has no dot, so it is no domain."""
LIBRARY_CREDIBILITY = 0.7
"""What a note counts until the analyst rates the library, whatever the page that it points at is worth.

On the open half of the everyday claims 0.55 to 0.8 come to the same.
"""

_GOVERNMENT = """
    gov mil int un.org unesco.org unep.org europa.eu gc.ca canada.ca nhs.uk bund.de admin.ch metoffice.gov.uk
    gouv.fr gob.es ipcc.ch bipm.org worldbank.org imf.org unicef.org unhcr.org unodc.org unwomen.org unaids.org
    unscear.org ohchr.org fao.org iaea.org icj-cij.org icty.org irmct.org polioeradication.org copernicus.eu
    parliament.uk electoralcommission.org.uk nsidc.org wto.org oecd.org iea.org bankofengland.co.uk riksbank.se
    bka.de bra.se courtmh17.com
""".split()
_ACADEMIC = """
    edu nature.com science.org sciencemag.org thelancet.com nejm.org bmj.com pnas.org cochrane.org
    cochranelibrary.com arxiv.org plos.org sciencedirect.com springer.com wiley.com cell.com jamanetwork.com
    royalsociety.org nationalacademies.org cern.ch home.cern iau.org mayoclinic.org hopkinsmedicine.org
    nobelprize.org britannica.com wikipedia.org pubmed.ncbi.nlm.nih.gov ncbi.nlm.nih.gov acpjournals.org iop.org
    rsc.org iupac.org nber.org recoverytrial.net eventhorizontelescope.org ushmm.org yadvashem.org auschwitz.org
    ghwk.de annefrank.org hdot.org slavevoyages.org nctr.ca cancerresearchuk.org apa.org aao.org claymath.org
    mathworld.wolfram.com oeis.org mersenne.org ourworldindata.org pewresearch.org sipri.org prisonstudies.org
    ethnologue.com deadseascrolls.org.il sahistory.org.za rmg.co.uk metmuseum.org moma.org rijksmuseum.nl
    mauritshuis.nl vangoghmuseum.nl australian.museum iwm.org.uk computerhistory.org jfklibrary.org
    nelsonmandela.org mountvernon.org shakespeare.org.uk wikiquote.org
""".split()
_NEWS = """
    reuters.com apnews.com afp.com dpa.com bbc.com bbc.co.uk npr.org pbs.org theguardian.com nytimes.com
    washingtonpost.com wsj.com economist.com ft.com dw.com cnn.com lemonde.fr cbsnews.com nbcnews.com
    abcnews.go.com usatoday.com bloomberg.com time.com aljazeera.com spiegel.de zeit.de tagesschau.de faz.net
    elpais.com france24.com independent.co.uk nationalgeographic.com scientificamerican.com newscientist.com
    history.com politico.com smithsonianmag.com harvardmagazine.com popularmechanics.com
""".split()
_SATIRE = """
    theonion.com clickhole.com babylonbee.com notthebee.com/satire reductress.com thebeaverton.com thehardtimes.net
    hard-drive.net duffelblog.com thespoof.com newyorker.com/humor borowitzreport.com mcsweeneys.net theneedling.com
    worldnewsdailyreport.com nationalreport.net empirenews.net huzlers.com dailycurrant.com thelapine.ca
    walkingeagle.news genesiustimes.com bustatroll.org potatriotpost.com dunning-kruger-times.com spacexmania.com
    thedailymash.co.uk newsthump.com newsbiscuit.com thepoke.com southendnewsnetwork.net rochdaleherald.co.uk
    waterfordwhispersnews.com betootaadvocate.com theshovel.com.au chaser.com.au thecivilian.co.nz
    der-postillon.com dietagespresse.com titanic-magazin.de der-enthueller.de eine-zeitung.net
    legorafi.fr nordpresse.be elmundotoday.com lercio.it speld.nl aszdziennik.pl rokokoposten.dk
    sensacionalista.com.br fakingnews.com thefauxy.com panorama.pub zaytung.com
""".split()
_SECOND_LEVEL = {"gov": SourceType.GOVERNMENT, "gob": SourceType.GOVERNMENT, "gouv": SourceType.GOVERNMENT}
_SECOND_LEVEL |= {"govt": SourceType.GOVERNMENT, "go": SourceType.GOVERNMENT, "mil": SourceType.GOVERNMENT}
_SECOND_LEVEL |= {"ac": SourceType.ACADEMIC, "edu": SourceType.ACADEMIC}
"""What a second level below a country says: ``gov.au``, ``ac.uk``, ``go.jp``."""

_MAX_LABELS = 127
"""Labels of a host that are looked at. No name in the DNS has more, and trying each ending of a longer one is slow."""

_PARAMETERS = re.compile(";[^/]*")
"""What may stand behind the name of a folder; to most servers ``/blog;v=1/x`` is ``/blog/x``."""


class HostRules(Generic[T]):
    """Values by host suffix with an optional path, such as ``gov`` or ``reuters.com/fact-check``; the longest wins."""

    def __init__(self, entries: Mapping[str, T]) -> None:
        self._rules: dict[str, list[tuple[str, T]]] = {}
        for entry, value in entries.items():
            host, _, path = entry.strip().partition("/")
            self._rules.setdefault(_host_form(host), []).append((path.strip("/").lower(), value))
        for paths in self._rules.values():
            paths.sort(key=lambda rule: -len(rule[0]))
        self._parents = {parent for host in self._rules for parent in suffixes(host)[1:]}

    def find(self, url: str) -> T | None:
        """The value of the longest entry that the address falls under, or None.

        An archived or translated copy counts as the page that it shows, and only then as one of its own host.
        """
        shown = original(url)
        value = self._find(shown)
        return value if value is not None or shown == url else self._find(url)

    def _find(self, url: str) -> T | None:
        host, path = split_address(url)
        plain = _PARAMETERS.sub("", path)
        labels = host.split(".")[-_MAX_LABELS:] if host else []
        for start in range(len(labels)):
            for prefix, value in self._rules.get(".".join(labels[start:]), ()):
                if not prefix or any(p == prefix or p.startswith(prefix + "/") for p in (path, plain)):
                    return value
        return None

    def matches(self, url: str) -> bool:
        """Whether the address falls under any entry."""
        return self.find(url) is not None

    def divides(self, domain: str) -> bool:
        """Whether two addresses of a domain could fall under different entries."""
        above = suffixes(domain)
        return domain in self._parents or any(prefix for host in above for prefix, _ in self._rules.get(host, ()))


class CredibilityBook:
    """Ratings of sources, by the settings of this installation. Safe to use from any thread; never raises on a URL."""

    def __init__(self, ratings: Mapping[str, float], fact_checkers: Sequence[str], unknown: float = 0.5) -> None:
        self._ratings = HostRules({LIBRARY: LIBRARY_CREDIBILITY, **ratings})
        self._fact_checkers = HostRules(dict.fromkeys(fact_checkers, True))
        kinds = {SourceType.NEWS: _NEWS, SourceType.ACADEMIC: _ACADEMIC, SourceType.GOVERNMENT: _GOVERNMENT}
        self._types = HostRules({host: kind for kind, hosts in kinds.items() for host in hosts})
        self.unknown = unknown
        """The credibility of unrated sources."""
        self._own_ratings: HostRules[float] = HostRules({})
        self._own_types: HostRules[SourceType] = HostRules({})
        self.edition = 0
        """Rises with every change of the ratings; figures that were counted by an earlier one are counted again."""

    def override(self, ratings: Mapping[str, float], types: Mapping[str, SourceType]) -> None:
        """From now on take the analyst's own ratings and kinds, which go before all others; they replace earlier ones.

        Of several that fit, the longest wins. A source without one is rated as before.
        """
        self._own_ratings, self._own_types = HostRules(ratings), HostRules(types)
        self.edition += 1

    def credibility(self, url: str) -> float:
        """The credibility of the source, 0..1."""
        own = self._own_ratings.find(url)
        if own is not None:
            return own
        rating = self._ratings.find(url)
        return self.unknown if rating is None else rating

    @property
    def library(self) -> float:
        """The credibility of all notes: somebody wrote them, and the pages they point at did not."""
        return self.credibility(LIBRARY)

    def rated(self, url: str) -> bool:
        """Whether the source has a rating."""
        return self._own_ratings.matches(url) or self._ratings.matches(url)

    def basis(self, url: str) -> str:
        """Where the credibility comes from: ``yours``, ``settings``, or ``unrated``."""
        if self._own_ratings.matches(url):
            return "yours"
        return "settings" if self._ratings.matches(url) else "unrated"

    def of_domain(self, domain: str) -> float | None:
        """The credibility of all addresses of a registered domain. None when it depends on the address."""
        if domain and self._own_ratings.divides(domain):
            return None
        own = self._own_ratings.find(domain)
        if own is not None:
            return own
        return None if domain and self._ratings.divides(domain) else self.credibility(domain)

    def source_type(self, url: str) -> SourceType:
        """What kind of publisher the source is."""
        own = self._own_types.find(url)
        if own is not None:
            return own
        if self._fact_checkers.matches(url):
            return SourceType.FACT_CHECKER
        known = self._types.find(url)
        if known is not None:
            return known
        labels = split_address(url)[0].split(".")
        if len(labels) > 2 and len(labels[-1]) == 2:
            return _SECOND_LEVEL.get(labels[-2], SourceType.UNKNOWN)
        return SourceType.UNKNOWN

    def with_ratings(self, ratings: Mapping[str, float], types: Mapping[str, SourceType]) -> "CredibilityBook":
        """A book like this one with other ratings of the analyst, to see what they would change."""
        other = copy(self)
        other.override(ratings, types)
        return other

    def domain(self, url: str) -> str:
        """The registered domain (``bbc.co.uk``); the host where there is none (an IP address), else nothing."""
        return _registered(split_address(original(url))[0])


@lru_cache(maxsize=50_000)  # hosts are few, but text from outside must not fill the memory
def _registered(host: str) -> str:
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return host
    # Some suffixes (nhs.uk) are a publisher of their own; `www` below them is not another one.
    host = host.removeprefix("www.")
    return (suffix_list()(host).top_domain_under_public_suffix or host)[:255] if host else ""


def split_address(url: str) -> tuple[str, str]:
    """Host and path of an address in comparable form; ("", "") when there is no host in it."""
    url = url.strip()
    if not url:
        return "", ""
    try:
        parts = urlsplit(url if "://" in url else f"//{url.removeprefix('//')}")
        host = parts.hostname or ""
        path = parts.path
    except ValueError:
        return "", ""
    if any(c.isspace() for c in host):
        return "", ""
    return _host_form(host), path.strip("/").lower()


def suffixes(host: str) -> list[str]:
    """A host and its parents: ``a.b.org``, ``b.org``, ``org``."""
    labels = host.split(".")[-_MAX_LABELS:]
    return [".".join(labels[start:]) for start in range(len(labels))]


def _host_form(host: str) -> str:
    """Lower case, without the final dot, international names in their ASCII form."""
    host = host.strip().strip(".").lower()
    if not host.isascii():
        try:
            host = ascii_host(host)
        except UnicodeError:
            host = host.encode("utf-8", "ignore").decode("utf-8")
    return host


_SATIRE_RULES = HostRules(dict.fromkeys(_SATIRE, True))
SATIRE_SITE = "its site publishes satire"


def is_satire_site(url: str) -> bool:
    """Whether an address is of a site, or of a part of one, that publishes satire."""
    return _SATIRE_RULES.matches(url)
