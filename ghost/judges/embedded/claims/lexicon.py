"""The words that the rules of step 1 know: verbs with their forms, words of taste, words that say nothing.

Lists, not logic. A word belongs here when it decides something about a claim whatever the topic; words that can be
checked against evidence ("dangerous", "safe", "popular", "highest") are left out of the words of taste on purpose.
"""

import re


def words(text: str) -> frozenset[str]:
    """A set from a line of words."""
    return frozenset(text.split())


_REGULAR = """
abandon abolish absorb accept accuse achieve acquire act adapt add admit adopt affect age agree aim allow alter amount
announce answer appear apply appoint approve argue arrest arrive ask assassinate assert attack attend attract avoid
award back bake ban bark base believe belong benefit blame block boil bomb boost border bounce brake breathe broadcast
call calm camp cancel capture care carry cause celebrate change charge chase check circle claim clean clear climb close
coat coin collapse collect colonise colonize combine commit communicate compete compose confirm conquer consider
consist construct consume contain continue control convert convict cook cool correlate cost count cover crash create
cross cure damage dance date deactivate debut declare decline decrease defeat defend define delay deliver demand deny
depend derive descend describe design destroy detect develop dethrone dictate die differ digest direct disappear
discover disprove dissolve divorce dominate donate double drain drop drown earn ease educate elect eliminate emerge
emit employ enable encourage end endanger endorse enter equal erupt escape establish evolve examine exceed exist expand
expect expire explain explode export expose express extend face fail fake favour favor feature fill film finish fire
fit float flow flush follow force form found freeze function fund gain gather generate govern graduate guarantee handle
happen harm hatch heal heat help hike hire host hunt hurt identify ignore illustrate import improve include increase
indicate infect inhabit inherit inject injure inspire install intend introduce invade invent invest involve issue join
jump kick kill kiss lack land last launch lay lead lie lift limit link list live locate look lose lower maintain manage
manufacture mark marry measure melt mention merge migrate mine misspell monitor move murder name need nominate number
obtain occupy occur offer open operate oppose orbit order organise organize originate outlaw outnumber outsell outweigh
overtake own paint pass patent peak perform phase plan plant play point poison pollute possess postpone power praise
predict prefer prepare present preserve press prevent print proclaim produce prohibit promise promote protect prove
provide publish pump punish purchase push qualify raise range rank reach react receive recognise recognize recommend
record recover reduce refer reflect reform refuse regain regulate reign reject relate release rely remain remember
remind remove render replace report represent require rescue research resemble resign resist rest restore result retain
retire return reveal reverse revolve reward rotate rule sail sample save score seem separate serve settle share ship
shorten shave show shrink sign signal sink slow smell smoke snow solve sound spray stabilise stain stand start starve
state stay stop store strengthen stretch study succeed suffer suggest supply support surpass surrender survive suspend
sweat talk target taste tax terminate test threaten thrive tolerate touch track trade train transform translate
transmit transport travel treat trigger triple try turn twist unite use vaccinate value vanish vary view visit vote
walk want warm warn wash watch weaken weigh welcome whistle widen wipe witness work worsen yield zigzag absorb attain
blink burn chew chirp circulate classify clog clone coexist collide compensate comprise concern condemn confuse connect
convince cooperate crack criticise criticize crown cut damage decay decompose dehydrate deplete deport deposit detain
deteriorate devastate devour diagnose disappear discontinue dislike dismiss display disrupt distribute divide drift
drill dump elect embed emigrate enjoy ensure erode evacuate evaporate execute exhale expel exploit explore fade favour
ferment fertilise fertilize finance flood flunk fluctuate fuel gallop glow halve hibernate honour hover imprison
inflate inhale inhibit inspect insure interpret isolate knock knight label leak learn lick like loot love lobby
manipulate masturbate mate miss mutate narrow neutralise nest obey obtain offset outlast outlive overdose overheat
overthrow persuade photosynthesise pioneer pop pour predate prescribe privatise probe process profit purify rain react
rebuild reappear recruit recycle redeem refine regenerate register regret reproduce retreat rewrite roar rob roll rust
sack sanction scan scrap seal secrete seize select shape shape-shift shed shift shine sue stimulate sneeze soar sponsor
stem store strip suck sunburn suppress swap sweep switch symbolise tackle taunt thin thicken tilt tie top torture total
tour transfer trap triumph tumble undergo unveil upset urge vibrate violate vow wage wake warm waste wear whisper
worship wrap crawl plunge slash slam surge hit cast rely fear hope hate wish rip ship kick rig steal hide lose own pay
exaggerate plagiarise plagiarize flatten fluoridate flourish fertilise feed breed bleed hail hack leap mourn mop mow
spoil thin conduct stunt decriminalise decriminalize legalise legalize criminalise criminalize nationalise nationalize
"""

_IRREGULAR = """
be:was:been bear:bore:born become:became:become begin:began:begun bite:bit:bitten blow:blew:blown break:broke:broken
bring:brought:brought build:built:built buy:bought:bought catch:caught:caught
choose:chose:chosen come:came:come cost:cost:cost cut:cut:cut
deal:dealt:dealt do:did:done draw:drew:drawn drink:drank:drunk drive:drove:driven eat:ate:eaten fall:fell:fallen
feed:fed:fed feel:felt:felt fight:fought:fought find:found:found flee:fled:fled fly:flew:flown forbid:forbade:forbidden
forget:forgot:forgotten freeze:froze:frozen get:got:got give:gave:given go:went:gone grow:grew:grown hang:hung:hung
have:had:had hear:heard:heard hide:hid:hidden hit:hit:hit hold:held:held hurt:hurt:hurt keep:kept:kept know:knew:known
lay:laid:laid lead:led:led leave:left:left let:let:let lie:lay:lain lose:lost:lost make:made:made mean:meant:meant
meet:met:met pay:paid:paid put:put:put quit:quit:quit read:read:read rewrite:rewrote:rewritten ride:rode:ridden
ring:rang:rung rise:rose:risen run:ran:run say:said:said see:saw:seen sell:sold:sold send:sent:sent set:set:set
shake:shook:shaken shed:shed:shed shine:shone:shone shoot:shot:shot shrink:shrank:shrunk shut:shut:shut sing:sang:sung
sink:sank:sunk sit:sat:sat sleep:slept:slept speak:spoke:spoken spend:spent:spent spread:spread:spread stand:stood:stood
steal:stole:stolen stick:stuck:stuck sting:stung:stung strike:struck:struck swear:swore:sworn sweep:swept:swept
swim:swam:swum take:took:taken teach:taught:taught tear:tore:torn tell:told:told think:thought:thought
throw:threw:thrown understand:understood:understood undergo:underwent:undergone wake:woke:woken wear:wore:worn
win:won:won withdraw:withdrew:withdrawn write:wrote:written overthrow:overthrew:overthrown overtake:overtook:overtaken
outsell:outsold:outsold rebuild:rebuilt:rebuilt bleed:bled:bled breed:bred:bred burst:burst:burst cast:cast:cast
broadcast:broadcast:broadcast dig:dug:dug bend:bent:bent bind:bound:bound grind:ground:ground lend:lent:lent
seek:sought:sought spin:spun:spun split:split:split spring:sprang:sprung upset:upset:upset weave:wove:woven
"""

# "ruled", "voted": one syllable and consonant-vowel-consonant doubles the last letter in the past ("banned").
_DOUBLING = words(
    "ban clog commit control cut drop expel fit flop get hit hop jog knit occur plan pop rig rip rob scan scrap ship "
    "slam stem step stop strip sun swap tap thin top trap transfer travel cancel refer admit permit prefer mop wrap hug"
)


def _past(base: str) -> str:
    if base in _DOUBLING:
        return base + base[-1] + "ed"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + "ed"


def third_person(base: str) -> str:
    """ "fail" -> "fails", "have" -> "has"; any word is taken, known or not."""
    if base in {"be", "have", "do", "go"}:
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return base[:-1] + "ies"
    return base + "s"


def _gerund(base: str) -> str:
    if base in _DOUBLING or base in {"begin", "run", "sit", "swim", "win", "dig", "spin", "split", "set", "put", "let"}:
        return base + base[-1] + "ing"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee") and base != "be":
        return base[:-1] + "ing"
    return base + "ing"


_TABLE: dict[str, tuple[str, str]] = {base: (_past(base), _past(base)) for base in _REGULAR.split()}
_TABLE.update({base: (past, participle) for base, past, participle in (e.split(":") for e in _IRREGULAR.split())})

BASE = frozenset(_TABLE)
"""Base forms."""
PAST_OF = {base: forms[0] for base, forms in _TABLE.items()}
"""Base form -> simple past."""
PAST = frozenset(forms[0] for forms in _TABLE.values())
PARTICIPLE = frozenset(forms[1] for forms in _TABLE.values())
THIRD = frozenset(third_person(base) for base in _TABLE)
GERUND = frozenset(_gerund(base) for base in _TABLE)

BE = words("is are was were isn't aren't wasn't weren't isnt arent wasnt werent")
HAVE = words("has have had hasn't haven't hadn't")
DO = words("do does did don't doesn't didn't dont doesnt didnt")
MODAL = words(
    "can could will would may might must shall should can't cannot couldn't won't wouldn't mightn't mustn't shouldn't "
    "cant wont couldnt wouldnt shouldnt"
)
AUXILIARY = BE | HAVE | DO | MODAL
"""Words that are verbs wherever they stand; "can" and "will" as nouns are rare enough."""

# Third-person forms that are never plural nouns: safe to cut at ("is a mammal and lives in the sea" has "lives",
# which is a noun too, but not after "and" with a singular subject; it is let in by hand).
CUTTING_THIRD = words(
    "lives contains produces includes grows eats becomes belongs consists kills makes gives takes comes goes has is "
    "does lies weighs measures holds lasts carries covers flows rises falls begins ends orbits owns employs sells "
    "exports imports hosts requires prevents protects reduces increases improves destroys contributes needs knows "
    "speaks plays sings sleeps flies swims runs wins loses serves remains borders rotates revolves stands occurs "
    "originates dates appears exists stays keeps"
)

# Third-person forms of verbs that make no noun: "garlic lowers blood pressure" is a clause, "heart attacks" is not.
ONLY_VERBS = CUTTING_THIRD | words(
    "lowers allows attracts avoids becomes believes builds buys causes cures consumes creates cuts defeats delivers "
    "destroys develops drives eliminates emits enables encourages endangers enters exceeds expects harms hates helps "
    "hurts improves infects invests kills leads likes loses loves lets melts pays performs pollutes prefers provides "
    "receives recognises relies removes saves sends shrinks slows spends strengthens stunts suffers teaches tells "
    "thinks triggers understands uses wants warms weakens weighs writes"
)

# Simple pasts that cannot be a participle after "was" ("was born in Salzburg and died in Vienna").
INTRANSITIVE_PAST = words(
    "died went became lived came fell began grew rose wrote gave took knew flew saw won arrived appeared disappeared "
    "remained stayed belonged existed happened occurred emerged consisted lasted collapsed served reigned worked did "
    "had was were drew spoke sang swam ran ate drank chose broke froze fled weighed stood sat slept"
)

DETERMINER = words(
    "the a an this that these those my your his her its our their some any every each all both no most many few "
    "several another"
)
PRONOUN = words("he she it they we i you this that these those who someone somebody everyone everybody there")
PREPOSITION = words(
    "in on at from to with by for about against among between into through during before after under over near since "
    "until without within across behind beyond above below around outside inside like than toward towards via per"
)
POSSESSIVE_OR_OBJECT = words("him her them us me my your his its our their mine yours theirs")

ADJECTIVE = words(
    "visible safe dangerous true false flat round real red blue green black white yellow legal illegal alive dead "
    "effective toxic poisonous healthy unhealthy blind deaf deadly harmful harmless contagious radioactive older "
    "younger edible extinct hollow hot cold wet dry big small large tall short long deep high low old new rich poor "
    "free open closed available able related responsible famous popular made born named located called known similar "
    "identical different necessary possible impossible good bad better worse best worst human genetic natural real "
    "fake racist sexist gay straight male female married single empty full hard soft heavy light fast slow common rare"
    " smart intelligent stronger sweet sour bitter sterile nocturnal immune allergic addictive carcinogenic flammable "
    "magnetic liquid solid gaseous expensive cheap right wrong delicious beautiful ugly boring"
)
_ADJECTIVE_END = re.compile(r"(?:ous|ful|less|able|ible|ive|ish|proof)$")


def is_adjective(word: str) -> bool:
    """A known adjective, or a word with an ending that only adjectives have."""
    return word in ADJECTIVE or (len(word) > 5 and _ADJECTIVE_END.search(word) is not None)


TASTE = words(
    "beautiful delicious tasty yummy scrumptious gorgeous stunning magnificent wonderful fantastic awesome amazing "
    "marvellous marvelous fabulous superb splendid excellent brilliant terrific lovely charming adorable cute cuter "
    "cutest pretty prettier prettiest handsome ugly uglier ugliest hideous awful horrible terrible dreadful horrendous "
    "disgusting nasty nastier nastiest revolting vile atrocious boring bored dull duller dullest exciting interesting "
    "fascinating inspiring inspirational thrilling breathtaking spectacular nice nicer nicest overrated underrated "
    "annoying irritating ridiculous stupid stupider stupidest dumb dumber dumbest silly idiotic moronic pathetic lame "
    "lousy mediocre evil wicked immoral unethical despicable shameful disgraceful unacceptable unfair unjust pointless "
    "worthless meaningless elegant classy cozy cosy delightful enjoyable entertaining hilarious funny funnier funniest "
    "legendary incredible unbelievable unforgettable iconic glorious majestic picturesque quaint tacky cheesy cringe "
    "creepy scary scarier scariest weird weirder weirdest lazy rude arrogant selfish greedy incompetent corruptible "
    "sexy sexier sexiest lovable likeable likable admirable heroic cowardly disappointing depressing sublime "
    "exquisite divine heavenly crappy shitty rubbish trashy ghastly appalling abysmal unwatchable unreadable "
    "soulless tasteless gross-looking stylish trendy fashionable charismatic cool-looking tedious tiresome mindless "
    "insufferable unbearable intolerable satisfying refreshing relaxing soothing magical dreamy epic badass lit goated"
)
EVALUATIVE = words(
    "great greater good better bad worse best worst greatest finest perfect cool cooler coolest fun important useless "
    "fair wrong right crazy insane romantic smartest sweetest coolest favourite favorite impressive special ideal "
    "genius foolish wise unwise sad happy happier tragic gross unnecessary superior inferior sweet gripping"
)
"""Words that judge in most places, and tell in some."""

STOP = words(
    "a an the and or but if of in on at to for from with by as is are was were be been being am has have had do does "
    "did not no nor so than then that this these those it its it's that's there there's here he she they we you i him "
    "her them us me my your his our their who whom whose which what when where why how can could will would may might "
    "must shall should can't cannot don't doesn't didn't isn't aren't wasn't weren't won't wouldn't just very really "
    "actually too also ever never always again more most much many some any all every each other about into over up "
    "down out off only own same such both few because while after before he's she's they're we're you're i'm i've "
    "they've you've we've he'd she'd they'd what's who's let's ain't it'll they'll still even now yet well oh like"
)
VAGUE = words(
    "thing things stuff something anything everything nothing someone somebody anyone anybody everyone everybody "
    "nobody none people person guy guys one ones happen happens happened happening going go gone get got know knows "
    "knew known mean means meant say says said tell told way ways time times day days lot lots bit true false right "
    "wrong big bigger good bad soon later once think thinks thought want wants wanted lie lies lied lying come comes "
    "came coming do doing done did make makes made see seen saw look looks sure maybe perhaps kind sort whatever "
    "somehow somewhere sometimes often today tomorrow yesterday tonight always never used be be. been matter matters "
    "depend depends truth fact facts case point problem reason reasons idea issue end story life world better worse "
    "change changes changed changing different same hide hiding hidden secret secrets wake open eyes believe care "
    "need needs try work works worked long old new great little much keep keeps kept start starts started stop stops "
    "stopped call called find found give gave take took talk talks talking feel feels felt seem seems let blah yeah "
    "yes no ok okay lol hey hi hello interesting obvious obviously clear clearly exactly proof proven certain "
    "real reality usual usually normal whole part place back away around two first last next"
)
"""Words that carry no checkable content on their own."""

VAGUE_SUBJECT = re.compile(
    r"^(?:something|things|everything|anything|someone|somebody|stuff|nothing|whatever|one thing|some things?)\b",
    re.IGNORECASE,
)
