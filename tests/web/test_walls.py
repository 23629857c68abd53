import pytest

from ghost.web.lines import Block
from ghost.web.walls import wall


@pytest.mark.parametrize(
    "lines",
    [
        ["We value your privacy", "We and our 842 partners store information on your device.", "Accept all"],
        ["This website uses cookies.", "OK"],
        ["Before you continue to the Vale", "Cookies are used to show advertising."],
        ["Cookies", "Accept all", "Manage choices"],
        ["We use cookies.", "Your consent holds for this site and the sites of all our partners. " * 4, "Accept all"],
        ["Wir verwenden Cookies und ähnliche Techniken.", "Alle akzeptieren"],
        ["Nous utilisons des cookies.", "Tout accepter"],
        ["Utilizamos cookies propias y de terceros.", "Aceptar y continuar"],
        ["Just a moment...", "Enable JavaScript and cookies to continue"],
        ["Checking your browser", "Verify you are human by completing the action below."],
        ["Are you a robot?", "Please click the box below to let us know you're not a robot."],
        ["Access Denied", "You don't have permission to access this page on this server."],
        ["Sorry, you have been blocked", "Cloudflare Ray ID: 8a1"],
        ["Our systems have detected unusual traffic from your computer network."],
        ["Bitte bestätigen Sie, dass Sie kein Roboter sind."],
    ],
)
def test_what_asks_its_reader_for_something_first_is_a_wall(lines: list[str]) -> None:
    assert wall([Block(line) for line in lines])


@pytest.mark.parametrize(
    "text",
    [
        "The Girl Scouts sold about 200 million boxes of cookies in 2019, for 800 million dollars.",
        "Japan raised its age of consent from 13 to 16 in June 2023, the first change since 1907.",
        "Cloudflare said on Tuesday that an outage of its network was caused by a file, and not by an attack.",
        "A survey found that 34 percent do not know whether agents are human or robots: 'are you human' was asked.",
        "Your privacy rights: under the GDPR the regulator fined the company 1.2 billion euros in May 2023.",
        "The regulator fined the company as its page made it harder to reject all cookies than to accept all cookies.",
        "Ministers were denied access to the site. Access denied, the paper wrote.",
        "Das Gericht entschied, dass eine Einwilligung in Cookies aktiv erteilt werden muss; der Datenschutz gilt.",
        "A captcha is a test that tells people from machines; it was named in 2003.",
        "La ley de privacidad y confidencialidad entró en vigor el 25 de mayo de 2018.",
    ],
)
def test_a_short_article_on_such_things_is_none(text: str) -> None:
    assert wall([Block("News in brief"), Block(text)]) == ""


def test_an_article_with_a_banner_is_none() -> None:
    article = "The dam above the village was checked in spring and found to be sound, the water board said. " * 3
    assert wall([Block("We use cookies.", group=1), Block("Accept all"), Block(article)]) == ""
