"""Sites whose articles are made up, as data. What they say never supports anything, however it is worded."""

from ghost.knowledge.credibility import HostRules

_SITES = """
theonion.com clickhole.com babylonbee.com notthebee.com/satire reductress.com thebeaverton.com thehardtimes.net
hard-drive.net duffelblog.com thespoof.com newyorker.com/humor borowitzreport.com mcsweeneys.net theneedling.com
worldnewsdailyreport.com nationalreport.net empirenews.net huzlers.com dailycurrant.com thelapine.ca walkingeagle.news
genesiustimes.com bustatroll.org potatriotpost.com dunning-kruger-times.com spacexmania.com
thedailymash.co.uk newsthump.com newsbiscuit.com thepoke.com southendnewsnetwork.net rochdaleherald.co.uk
waterfordwhispersnews.com betootaadvocate.com theshovel.com.au chaser.com.au thecivilian.co.nz
der-postillon.com dietagespresse.com titanic-magazin.de der-enthueller.de eine-zeitung.net
legorafi.fr nordpresse.be elmundotoday.com lercio.it speld.nl aszdziennik.pl rokokoposten.dk
sensacionalista.com.br fakingnews.com thefauxy.com panorama.pub zaytung.com
"""
_RULES = HostRules(dict.fromkeys(_SITES.split(), True))
SATIRE_SITE = "its site publishes satire"


def is_satire_site(url: str) -> bool:
    """Whether an address is of a site, or of a part of one, that publishes satire."""
    return _RULES.matches(url)
