"""Loaded words: they judge while they tell. No proof of opinion (quotes have them too), a hint for the classifier.

Words that evidence can bear out ("dangerous", "useless", "fake", "worst") are left out on purpose, as in ``lexicon``.
"""

import re

from ghost.judges.embedded.claims.lexicon import EVALUATIVE, TASTE, words
from ghost.judges.embedded.claims.wordscan import bare

LOADED = words(
    "absurd absurdity absurdly abysmal admirable affront alarming alas appalling arrogance arrogant asinine "
    "astonishing atrocious awful baffling bankrupt barbaric betray betrayal betrayed bigoted bigotry bizarre "
    "bizarrely blatant blatantly blessing blinkered blunder bogus bravery brazen breathtaking brilliant bullying "
    "bungling callous chaos chaotic charade clueless clumsy colossal compassion compassionate conned contempt "
    "contemptible courage courageous coward cowardice cowardly cowards craven crazy crook crooked crooks cruel "
    "cruelty cynical cynicism daft decency decent deluded delusion delusional deplorable deserve deserved "
    "deserves desperate despicable devastating dignity disastrous disgrace disgraceful disgust disgusting "
    "dishonest dishonesty dismal disturbing dodgy dogma dreadful dreary drivel elite elites elitist embarrass "
    "embarrassing embarrassment evil excellent fairy fanatical fanatics fantasy farce farcical fatuous fearless "
    "feeble fiasco finest flawed fleeced flimsy fool foolish foolishly fools frankly frightening funny futile "
    "ghastly ghoulish glorious glory gorgeous greed greedy grim grotesque gullible gutless hapless heartbreaking "
    "heartless heroic hideous hollow honest honestly honourable hopeless hopelessly horrendous horrible horrific "
    "humane humiliating humiliation hypocrisy hypocrite hypocrites hypocritical hysteria hysterical idiocy idiot "
    "idiotic idiots ignorance ignorant immoral inane incompetence incompetent indecent indefensible inept "
    "inexcusable insane insanity inspiring insult insulting insults intolerable ironic ironically irony "
    "irresponsible joke laughable laughably lazy liar liars lousy ludicrous lunacy madness magnificent marvel "
    "marvellous masterclass masterful masterpiece meaningless mediocre menace mercifully mess mindless miserable "
    "misery mockery monster monstrous moral morally naive nasty nightmare noble nobler nonsense nonsensical "
    "obscene obscenity odious ominous outrage outrageous outrageously overpriced overrated pantomime paranoid "
    "parasites pathetic patronising perverse petty phony pitiful pity pointless preposterous pretend pretending "
    "propaganda puppet racket rampant reckless refreshing regrettable remarkable repugnant repulsive revolting "
    "ridiculous ridiculously rigged rightly rotten ruining ruthless sad sadly sanctimonious scam scandal "
    "scandalous scary selfish senseless sensible shabby shallow sham shambles shambolic shame shameful shamefully "
    "shameless shamelessly shocking shoddy sickening silly sinister slavish smug snobbery so-called soulless spectacle "
    "spineless splendid squalid squander squandered stinks stubborn stunning stupid stupidity sublime superb "
    "swindle tawdry tedious terrible terrifying thankfully threadbare thrilling tired tiresome tragedy tragic "
    "tragically treacherous treason tripe triumph trivial twisted tyranny tyrant ugly unacceptable unbelievable "
    "unconscionable undemocratic unfair unforgivable unhinged unjust utter utterly vandalism vicious vile "
    "vindictive waffle wicked wisdom wise witless woeful woefully wonderful worrying worthless wretched zealots"
)
REPORTING = words(
    "said says say told tells added insisted argued argues claimed claims warned warns announced reported reports "
    "stated denied denies accused described describes believes believe believed expects suggested suggests according "
    "wrote asked called calls urged rejected dismissed hailed criticised condemned admitted confirmed predicted "
    "estimates estimated found concluded promised vowed replied answered explained"
)
TURN = re.compile(
    r"\b(?:so-called|of course|needless to say|in fact|after all|at last|as if|so much for|no wonder|the truth is|"
    r"let us|let's|if only|at best|at worst|worthy of|in the name of|nothing (?:less|short|more|but)|anything but|"
    r"far from|as ever|once again|yet again|for once|in truth|to be sure|it seems|no less|to say the least|"
    r"how (?:\w+ )?(?:dare|can|could)|it is (?:time|hard|easy|no)|would do well|supposed(?:ly)?|what a|"
    r"the (?:very|sheer|mere) \w+|and yet|but then|the likes of)\b",
    re.IGNORECASE,
)
"""Turns of phrase of people who comment."""


_JUDGING = LOADED | TASTE | EVALUATIVE


def is_marked(clause: str) -> bool:
    """Whether a word or a turn of judgement stands in the clause."""
    return any(bare(t) in _JUDGING for t in clause.split()) or TURN.search(clause) is not None
