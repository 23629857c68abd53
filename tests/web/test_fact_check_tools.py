"""Google Fact Check Tools over a server of our own: each review is a hit and a value."""

import json
from datetime import date

from ghost.web import ClaimReview, FactCheckTools, Stage
from tests.web.servers import Reply, serving

FOUND = {
    "claims": [
        {
            "text": "Honey spoils <b>fast</b>", "claimant": "Facebook posts", "claimDate": "2024-03-01T00:00:00Z",
            "claimReview": [
                {"publisher": {"name": "Snopes", "site": "snopes.com"}, "url": "https://www.snopes.com/honey/",
                 "title": "Does Honey Spoil?", "reviewDate": "2024-03-05T10:00:00Z", "textualRating": "False",
                 "languageCode": "en"},
                {"publisher": None, "url": "javascript:alert(1)", "textualRating": 7},
            ],
        },
        {"text": 7, "claimReview": [{"publisher": {"site": "fullfact.org"}, "url": "https://fullfact.org/honey"}]},
        {"text": "No review"},
    ],
    "nextPageToken": "10",
}  # fmt: skip


def test_each_review_is_a_hit_and_a_value() -> None:
    with serving(Reply(json.dumps(FOUND).encode())) as server:
        hits = FactCheckTools("k", server.url).search("honey spoils", ("snopes.com",), 5, 5)
        assert server.asked[0].words == {"query": "honey spoils", "pageSize": "5"}
    assert [h.review for h in hits] == [
        ClaimReview(
            "Honey spoils fast", "False", "Snopes", "https://www.snopes.com/honey/", "Does Honey Spoil?",
            "Facebook posts", date(2024, 3, 5), "en",
        ),
        ClaimReview("Honey spoils fast", "", "", "", claimant="Facebook posts"),
        ClaimReview("", "", "fullfact.org", "https://fullfact.org/honey"),
    ]  # fmt: skip
    assert [(h.url, h.snippet, h.published_at) for h in hits] == [
        ("https://www.snopes.com/honey/", "", date(2024, 3, 5)),
        ("javascript:alert(1)", "", None),
        ("https://fullfact.org/honey", "", None),
    ]


def test_nothing_of_it_is_text_that_could_be_read_as_evidence() -> None:
    with serving(Reply(json.dumps(FOUND).encode())) as server:
        hits = FactCheckTools("k", server.url).search("honey spoils", (), 5, 5)
    assert {h.snippet for h in hits} == {""}


def test_it_serves_the_stage_of_fact_checks_only() -> None:
    assert FactCheckTools("k").stages == {Stage.FACT_CHECK}
