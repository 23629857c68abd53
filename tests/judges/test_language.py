"""Claims in other languages are told from English ones, also where they are short or full of names."""

from pathlib import Path

from ghost.judges import unreadable_language

DATA = Path(__file__).parents[1] / "data"

FOREIGN = {
    "German": ["Die Erde ist eine Scheibe", "Impfungen verursachen Autismus", "5G verbreitet das Coronavirus"],
    "French": ["La Terre est plate", "Les vaccins causent l'autisme", "Paris est la capitale de la France"],
    "Spanish": ["La Tierra es plana", "Las vacunas causan autismo", "Los gatos tienen siete vidas"],
    "Italian": ["La Terra è piatta", "I vaccini causano l'autismo", "Roma è la capitale d'Italia"],
    "Portuguese": ["A Terra é plana", "As vacinas causam autismo", "Lisboa é a capital de Portugal"],
    "Dutch": ["De aarde is plat", "De maan is van kaas gemaakt", "Amsterdam is de hoofdstad van Nederland"],
    "Polish": ["Ziemia jest płaska", "Szczepionki powodują autyzm", "Warszawa jest stolicą Polski"],
    "Swedish": ["Jorden är platt", "Stockholm är huvudstad i Sverige"],
    "Danish": ["Jorden er flad", "København er hovedstaden i Danmark"],
    "Finnish": ["Rokotteet aiheuttavat autismia", "Helsinki on Suomen pääkaupunki"],
    "Czech": ["Země je plochá", "Praha je hlavní město České republiky"],
    "Hungarian": ["A Föld lapos", "Budapest Magyarország fővárosa"],
    "Romanian": ["Pământul este plat", "București este capitala României"],
    "Turkish": ["Aşılar otizme neden olur", "Ankara Türkiye'nin başkentidir"],
    "Indonesian": ["Bumi itu datar", "Jakarta adalah ibu kota Indonesia"],
    "Vietnamese": ["Trái đất phẳng", "Hà Nội là thủ đô của Việt Nam"],
    "Cyrillic letters": ["Земля плоская", "Вакцины вызывают аутизм", "Земля пласка"],
    "Greek": ["Η Γη είναι επίπεδη"],
    "Arabic letters": ["الأرض مسطحة"],
    "Hebrew": ["כדור הארץ שטוח"],
    "Devanagari letters": ["पृथ्वी चपटी है"],
    "Thai": ["โลกแบน"],
    "Chinese": ["地球是平的"],
    "Japanese": ["地球は平らです"],
    "Korean": ["지구는 평평하다"],
}
UNNAMED = "another language than English"
"""What a short text is called that is surely not English and not surely anything else."""
ENGLISH_WITH_FOREIGN_NAMES = [
    "Los Angeles is in California", "Die Hard is a film from 1988", "La Paz has an airport",
    "El Niño warms the Pacific",
    "Emmanuel Macron visited Wrocław", "Angela Merkel visited Reykjavik", "Ursula von der Leyen leads Europe",
    "São Paulo is larger than Rio de Janeiro", "Zlatan Ibrahimović played for Paris Saint-Germain",
    "Lech Wałęsa led Solidarność", "Recep Tayyip Erdoğan won Turkey's presidential election", "Nestlé sells KitKat",
    "Real Madrid won La Liga in 2022", "Bayern München beat Barcelona 8–2", "Pelé scored 1,281 goals",
    "Der Spiegel reported fake stories", "Le Monde published leaked files", "Al Jazeera belongs to Qatar",
    "Côte d'Ivoire exports cocoa", "Curaçao belongs to Venezuela", "Osama bin Laden died in Abbottabad, Pakistan",
    "Kim Jong-un studied in Switzerland", "Schrödinger owned a cat", "Beyoncé won 32 Grammys", "Guantánamo Bay, Cuba",
    "Charles de Gaulle died in 1970", "Mona Lisa was painted by Leonardo da Vinci", "Krakatoa erupted in 1883",
    "Vaccines cause autism", "Garlic cures colds", "Bananas contain potassium", "EU bans glyphosate",
    "Ebola kills bats",
    "Finland joined NATO", "UEFA banned Russia", "NASA faked Moon landings", "Croatia uses euros", "Volkswagen cheated",
    "The word Schadenfreude is German", "“Ich bin ein Berliner” was said by John F. Kennedy",
    "The Chinese for tea is 茶", "Putin (Путин) was born in Leningrad",
]  # fmt: skip


def test_a_claim_in_another_language_is_known_as_one() -> None:
    found = {claim: (name, unreadable_language(claim)) for name, claims in FOREIGN.items() for claim in claims}
    assert {claim: said for claim, (name, said) in found.items() if said not in (name, UNNAMED)} == {}


def test_a_short_english_claim_with_foreign_names_is_english() -> None:
    assert [claim for claim in (*ENGLISH_WITH_FOREIGN_NAMES, "", "1931–1954 😀") if unreadable_language(claim)] == []


def test_of_short_claims_written_before_the_rules_few_are_taken_for_the_wrong_side() -> None:
    """Everyday claims in ten languages, and English ones of which hardly a word but the verb is English."""
    foreign = [line.split("\t")[1] for line in (DATA / "foreign_claims.tsv").read_text("utf-8").splitlines()]
    english = (DATA / "foreign_names.txt").read_text("utf-8").splitlines()
    assert (len(foreign), len(english)) == (220, 103)
    assert sum(map(bool, map(unreadable_language, foreign))) >= 210
    assert sum(map(bool, map(unreadable_language, english))) <= 1
