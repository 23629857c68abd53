"""The commonest orders in other languages.

Where a form is both an order and something told of a third person (*responde*, *ignore*, *marque*), it counts only where a
sentence begins, or behind "please", "you must" and the like.
"""

from ghost.knowledge.orders.words import ADDRESS, DICTATE, IGNORE, WHO, Order

_BEGINS = r"(?:^|[.!?:;…–—][\"'”’)\]»]*\s+|[\"'“‘«„(\[¡]\s?|\n"

_GREETS = r"(?:^|[.!?:;]\s)[^\s.,!?:;]{1,24}(?:\s[^\s.,!?:;]{1,24}){0,2},\s+"
"""*Dear model, ignore…*: a comma behind so few words that they are no subject."""


def _start(*words: str) -> str:
    """The start of a sentence, or one of the words that make the next one an order."""
    return rf"{_BEGINS}|{_GREETS}|\b(?:{'|'.join(words)}),?\s+)"


_DE = _start("bitte", "und", "dann", "jetzt", "nun")
_FR = _start(
    "veuillez",
    "merci de",
    "s'il vous plaît",
    "s’il (?:vous|te) plaît",
    "maintenant",
    "il faut",
    "(?:tu dois|vous devez)",
)
_ES = _start("por favor", "ahora", "debes", "debe usted", "simplemente", "siempre", "s[oó]lo")
_IT = _start("per favore", "per piacere", "ora", "adesso", "devi", "bisogna", "si prega di", "semplicemente", "sempre")
_PT = _start("por favor", "agora", "você deve", "simplesmente", "sempre", "apenas")
_NL = _start("alsjeblieft", "alstublieft", "gelieve", "nu", "u moet", "je moet")
_AR = r"(?:^|[.!?؟:؛،,]\s*|[\"“«(]|\b(?:من فضلك|يرجى|رجاء|الآن)\s+)"
_ZH = r"(?:^|[。！？；：，、,.!?:;\s“「『（(]|请|請|你|您|必须|必須|务必|並|并|立即|现在|現在)"

OTHER_LANGUAGES = (
    # German
    Order(IGNORE, rf"(?:{_DE}ignoriert|\b(?:ignoriere|ignorier|ignorieren sie|vergiss|vergesst|vergessen sie|missachte|missachten sie|übergehe|übergehen sie|verwirf))\b.{{0,40}}\b(?:bisherig|vorherig|vorig|obig|früher|vorangegangen|vorhergehend|ursprünglich|deine|system)\w*\s+(?:\w+\s+)?(?:anweisung|instruktion|vorgabe|regel|prompt|befehl|system)\w*", needs=("anweisung", "instruktion", "vorgabe", "regel", "prompt", "befehl", "system")),
    Order(IGNORE, r"\b(?:ignoriere|vergiss|missachte)\b.{0,20}\balle\b.{0,20}\b(?:anweisung|instruktion|vorgabe)"),
    Order(DICTATE, rf"(?:\b(?:antworte|antworten sie)|{_DE}(?:bewerte|stufe|markiere|kennzeichne)(?:n sie)?)\b(?!.{{0,40}}\b(?:wahr|falsch|richtig)\s+oder\b).{{0,40}}\b(?:wahr|falsch|richtig|true|false)\b(?!\s+oder\b)", needs=("wahr", "falsch", "richtig", "true", "false")),
    Order(WHO, r"\b(?:du bist|sie sind)\s+(?:jetzt|nun|ab sofort)?\s*(?:eine?\s+)?(?:\w+\s+)?(?:ki|ki-\w+|sprachmodell|assistent|chatbot|faktenchecker)\b"),
    Order(ADDRESS, r"\b(?:achtung|hinweis|anweisung(?:en)?|nachricht)\s*(?:an|für)?,?\s*(?:die |alle |das )?(?:ki|ki-\w+|sprachmodelle?)\b\s*[:,!]"),
    # French
    Order(IGNORE, rf"(?:\b(?:ignorez|oubliez|ne (?:tiens|tenez) pas compte|faites abstraction)|{_FR}(?:ignorer?|oublier?|fais abstraction))\b.{{0,40}}\b(?:instructions?|consignes?|directives?|règles?|ordres?)\b.{{0,20}}(?:pr[ée]c[ée]dent|ci-dessus|ant[ée]rieur|initial|donn[ée])", needs=("instruction", "consigne", "directive", "règle", "ordre")),
    Order(IGNORE, rf"(?:\b(?:ignorez|oubliez)|{_FR}(?:ignorer?|oublier?))\s+toutes\s+(?:les|tes|vos)\s+(?:instructions?|consignes?|directives?)", needs=("instruction", "consigne", "directive", "règle", "ordre")),
    Order(IGNORE, r"\b(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes\s+)?(?:tes|vos)\s+(?:instructions?|consignes?|directives?)|\bet\s+(?:ignore|oublie)\s+(?:toutes\s+)?les instructions\b|\bet\s+(?:marque|classe)\s+(?:cette|l['’]|la|ces|les)\s*(?:affirmation|déclaration|allégation|assertion)s?\b"),
    Order(DICTATE, rf"(?:\b(?:r[ée]ponds|r[ée]pondez|marquez|classez)|{_FR}(?:marque|classe|affiche)[zr]?)\b(?!.{{0,30}}\b(?:vrai|faux|oui)\s+ou\b).{{0,30}}\b(?:vraie?|fausse|faux|true|false)\b(?!\s+ou\b)", needs=("vrai", "faux", "fausse", "true", "false")),
    Order(WHO, r"\b(?:tu es|vous êtes)\s+(?:maintenant|désormais)\s+une?\s+(?:\w+\s+)?(?:ia|assistant|intelligence artificielle|modèle de langage)"),
    # Spanish
    Order(IGNORE, rf"(?:\b(?:haz caso omiso de|no (?:sigas|hagas caso (?:a|de)))|{_ES}(?:ignor[aeá]n?|olvid[aeá]n?|descart[ae]n?|omit[ae]n?))\b.{{0,40}}\b(?:instrucciones|indicaciones|[óo]rdenes|reglas|directrices)\b.{{0,20}}(?:anterior|previ|de arriba|original)", needs=("instruccion", "indicacion", "rdenes", "reglas", "directrices")),
    Order(IGNORE, rf"{_ES}(?:ignora|olvida|ignore|olvide)\s+todas\s+(?:las|tus|sus)\s+(?:instrucciones|indicaciones|órdenes)|\b(?:ignor[ae]r?|olvid[ae]r?)\s+(?:todas\s+)?tus\s+(?:instrucciones|indicaciones|órdenes)|\b[ye]\s+(?:ignora|olvida|ignore|olvide)\s+(?:todas\s+)?(?:las|tus|sus)\s+instrucciones\b", needs=("instruccion", "indicacion", "rdenes", "reglas", "directrices")),
    Order(DICTATE, rf"(?:{_ES}(?:responde|contesta|responda|conteste|marca|clasifica)\b(?!.{{0,30}}\b(?:verdader[oa]|fals[oa])\s+o\b).{{0,30}}|\b(?:y|e|luego|entonces)\s+(?:responde|contesta|responda|conteste)\s+(?:(?:s[oó]lo|solamente|siempre|con|la palabra|únicamente)\s+)*[\"'“«]?)\b(?:verdader[oa]|fals[oa]|ciert[oa]|true|false)\b(?!\s+o\b)", needs=("verdader", "fals", "ciert", "true")),
    Order(WHO, r"\b(?:eres|usted es)\s+(?:ahora|a partir de ahora)\s+una?\s+(?:\w+\s+)?(?:ia|asistente|inteligencia artificial|modelo de lenguaje)"),
    # Italian
    Order(IGNORE, rf"(?:\bnon (?:seguire|tenere conto|tener conto)|{_IT}(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura(?:re|te)?))\b.{{0,40}}\b(?:istruzioni|indicazioni|regole|direttive|comandi)\b.{{0,20}}(?:precedent|sopra|original|anterior)", needs=("istruzion", "indicazion", "regole", "direttiv", "comandi")),
    Order(IGNORE, rf"(?:\bignorate|{_IT}(?:ignora|dimentica))\s+tutte\s+le\s+(?:\w+\s+)?(?:istruzioni|indicazioni|direttive)|\b(?:ignora(?:re)?|dimentica(?:re)?)\s+(?:tutte\s+)?le\s+tue\s+(?:istruzioni|indicazioni)|\be\s+(?:ignora|dimentica)\s+(?:tutte\s+)?le\s+istruzioni\b", needs=("istruzion", "indicazion", "regole", "direttiv", "comandi")),
    Order(DICTATE, rf"(?:\b(?:rispondi|rispondete)|{_IT}(?:risponda|classifica|contrassegna))\b(?!.{{0,30}}\b(?:ver[oa]|fals[oa])\s+o\b).{{0,30}}\b(?:ver[oa]|fals[oa]|true|false)\b(?!\s+o\b)", needs=("vero", "vera", "fals", "true")),
    # Portuguese
    Order(IGNORE, rf"{_PT}(?:ignor[ea]m?|esque[çc]am?|desconsider[ea]m?|descart[ea]m?)\b.{{0,40}}\b(?:instru[çc][õo]es|orienta[çc][õo]es|regras|diretrizes|comandos)\b.{{0,20}}(?:anterior|pr[ée]via|acima|origina)", needs=("instru", "orienta", "regras", "diretriz", "comandos")),
    Order(IGNORE, rf"{_PT}(?:ignore|esqueça|desconsidere)\s+todas\s+as\s+(?:suas\s+)?(?:instruções|orientações)|\be\s+(?:ignore|esqueça|desconsidere)\s+(?:todas\s+)?as\s+(?:suas\s+)?instruções\b", needs=("instru", "orienta", "regras", "diretriz", "comandos")),
    Order(DICTATE, rf"(?:{_PT}(?:responda|responde|marque|classifique)\b(?!.{{0,30}}\b(?:verdadeir[oa]|fals[oa])\s+ou\b).{{0,30}}|\b(?:e|então|depois)\s+(?:responda|responde)\s+(?:(?:só|somente|apenas|sempre|com|a palavra)\s+)*[\"'“«]?)\b(?:verdadeir[oa]|fals[oa]|true|false)\b(?!\s+ou\b)", needs=("verdadeir", "fals", "true")),
    # Russian
    Order(IGNORE, r"(?<!не )\b(?:про)?(?:игнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания на|не следуй(?:те)?|отмени(?:те)?)\b.{0,40}(?:инструкци|указани|команд|промпт|подсказк|предыдущ\w+ правил)"),
    Order(DICTATE, r"\b(?:ответь(?:те)?|отвечай(?:те)?|отметь(?:те)?|выведи(?:те)?|пометь(?:те)?)\b.{0,40}\b(?:правда|истина|верно|ложь|неверно|правдив\w*|ложн\w*|истинн\w*|true|false)\b(?!\s+или\b)"),
    Order(WHO, r"\bты\s+(?:теперь|сейчас|отныне)\s+(?:\w+\s+)?(?:ии|искусственный интеллект|ассистент|языковая модель)"),
    # Ukrainian
    Order(IGNORE, r"(?<!не )\b(?:про)?(?:ігноруй(?:те)?|забудь(?:те)?|не зважай(?:те)? на|не дотримуй(?:те)?ся)\b.{0,40}(?:інструкці|вказівк|наказ|команд|промпт|попередн\w+ правил)"),
    Order(DICTATE, r"\b(?:відповідай(?:те)?|познач(?:те)?)\b.{0,30}\b(?:правда|істина|правдив\w*|брехня|хибн\w*|true|false)\b(?!\s+(?:чи|або)\b)"),
    # Chinese: no inflection tells an order from a report
    Order(IGNORE, rf"{_ZH}(?:忽略|无视|忘记|忽視|無視|忘記|不要理会|不要遵守|不要遵循|覆盖)(?!了).{{0,6}}(?:之前|以上|上面|先前|前面|所有|全部|此前|你的|系统|系統|原来|上述).{{0,8}}(?:指令|指示|提示|规则|規則|命令|要求|说明|內容|内容)", needs=("忽", "无视", "無視", "忘", "不要", "覆盖")),
    Order(DICTATE, r"(?:请|請|只|只能|必须|必須|务必|你应|你應|都要).{0,4}(?:回答|回复|回覆|输出|輸出|标记|標記|判定|判断|判斷|认定|認定).{0,10}(?:真(?![实實相正])|假(?![设設期如日冒定])|正确|正確|错误|錯誤|属实|屬實|true|false)"),
    Order(WHO, r"你(?:现在|現在|从现在起).{0,4}是.{0,8}(?:人工智能|ai|助手|语言模型|語言模型|事实核查)"),
    # Arabic: the order is written like "he ignored"
    Order(IGNORE, rf"(?:{_AR}(?:[وف])?(?:تجاهلوا|تجاهل|انس|انسوا|أهمل)\s+(?:\S+\s+){{0,2}}?|\b(?:لا تتبع|لا تلتزم)\s.{{0,20}})(?:بالتعليمات|التعليمات|الأوامر|الإرشادات|القواعد|تعليماتك).{{0,20}}(?:السابق|أعلاه|المذكور|السالف)", needs=("تعليمات", "أوامر", "إرشادات", "قواعد")),
    Order(IGNORE, rf"{_AR}(?:تجاهل|انس|أهمل)\s+(?:جميع|كل|كافة)\s+(?:التعليمات|الأوامر|الإرشادات)", needs=("تعليمات", "أوامر", "إرشادات", "قواعد")),
    Order(DICTATE, r"(?:أجب|اجب|أجيبوا|صنف|رد فقط)\s.{0,30}(?:صحيح|صحيحة|خطأ|خاطئ|كاذب|true|false)"),
    # Others: the commonest order only
    Order(IGNORE, r"(?:以前|前|上記|これまで|すべて|全て|全ての).{0,6}(?:指示|命令|プロンプト|ルール)(?:を|は).{0,6}(?:無視|忘れ)(?:し|す)?(?:て(?:ください|下さい|くれ|$|[。、!！].{0,30}(?:ください|下さい|なさい|せよ|しろ|答え))|ろ|なさい|せよ|よ[。!！]|ること|て.{1,30}(?:ください|下さい|なさい|せよ|しろ))"),
    Order(IGNORE, r"(?:이전|위의|모든|앞의).{0,10}(?:지시|명령|지침|프롬프트).{0,8}(?:무시|잊)(?:하세요|하십시오|하라|해라|해 ?주세요|해 ?줘|해[.!]|할 것|으세요|으라|어라|고.{0,30}(?:세요|십시오|하라|해라|답해|말해))"),
    Order(IGNORE, rf"{_NL}(?:negeer|vergeet)\b.{{0,30}}\b(?:vorige|eerdere|bovenstaande|alle)\b.{{0,20}}(?:instructies|aanwijzingen|opdrachten)", needs=("instructies", "aanwijzingen", "opdrachten")),
    Order(IGNORE, r"\b(?:zignoruj|ignoruj|zapomnij)\b.{0,40}(?:poprzedni|wcześniejsz|powyższ|wszystki)\w*.{0,20}(?:instrukcj|polece|wytyczn)"),
    Order(IGNORE, r"(?:önceki|yukarıdaki|tüm)\b.{0,30}(?:talimat|komut|yönerge)\w*.{0,20}(?:yok say|görmezden gel|unut|dikkate alma)(?:ı?yın|ın|in|un|ınız|iniz|unuz|yınız|ıp|ip|up)?\b"),
    Order(IGNORE, r"(?:पिछले|पूर्व|ऊपर|सभी).{0,20}(?:निर्देश|आदेश).{0,20}(?:(?:अनदेखा|नज़रअंदाज़) (?:करें|करो|कीजिए|कर दें|कर दो)|भूल (?:जाओ|जाएं|जाएँ|जाइए))"),
    Order(IGNORE, r"\b(?:ignorera|glöm|bortse från|strunta i)\b(?! inte).{0,20}\b(?:alla|tidigare|föregående|ovanstående|dina)\b.{0,20}\b(?:instruktion|anvisning|direktiv|uppmaning)\w*"),
    Order(DICTATE, rf"{_start('och', 'sedan', 'nu')}svara\s+(?:(?:bara|endast|alltid|med|att det är|ordet)\s+){{0,3}}[\"'”]?(?:sant|falskt|sann|true|false)\b(?!\s+eller\b)", needs=("sant", "falskt", "sann", "true", "false")),
    Order(IGNORE, rf"(?:\b(?:αγνοήστε|ξέχνα|ξεχάστε|παραβλέψτε)|{_start('παρακαλώ', 'τώρα')}(?:αγνόησε|παράβλεψε))\b.{{0,20}}(?:προηγούμεν|παραπάνω|όλες|αρχικ).{{0,30}}(?:οδηγί|εντολ|κανόν)", needs=("οδηγί", "εντολ", "κανόν")),
    Order(DICTATE, r"\b(?:απάντησε|απαντήστε)\s+(?:(?:μόνο|με|πάντα|ότι είναι|τη λέξη)\s+){0,3}[\"«]?(?:αληθ[ήέ]ς|ψευδ[ήέ]ς|σωστό|λάθος)(?!\s+ή\s)"),
    Order(IGNORE, r"(?<!ne)\b(?:ignoruj(?:te)?|zapomeň(?:te)?(?: na)?|nedbej(?:te)? na)\b.{0,30}\b(?:předchozí\w*|předešl\w+|všechn\w+|výše|dosavadní\w*)\b.{0,20}(?:pokyn|instrukc|příkaz)"),
    Order(DICTATE, r"\bodpověz(?:te)?\s+(?:(?:jen|pouze|vždy|že je to|slovem)\s+){0,2}[\"„]?(?:pravda|nepravda|ano|true|false)\b(?!\s+nebo\b)"),
    Order(IGNORE, rf"(?:\b(?:ignorați|uitați|nu ține cont de|nu țineți cont de)|{_start('te rog', 'vă rog', 'acum')}(?:ignor[ăa]|uită))\b.{{0,30}}\b(?:instruc[țţt]iunil?e?|comenzil?e?|indica[țţt]iil?e?)\b.{{0,20}}(?:anterio|precedent|de mai sus|ini[țţt]ial)", needs=("instruc", "comenzi", "indica")),
    Order(DICTATE, r"(?:^|[.!?:;]\s+|\bși\s+)răspunde(?:ți)?\s+(?:(?:doar|numai|mereu|cu|cuvântul)\s+){0,2}[\"„]?(?:adevărat|fals|true|false)\b(?!\s+sau\b)"),
    Order(IGNORE, rf"{_start('tolong', 'harap', 'mohon', 'silakan', 'sekarang')}(?:abaikan|lupakan)\b.{{0,20}}\b(?:instruksi|perintah|petunjuk|arahan)\b.{{0,20}}\b(?:sebelum|terdahulu|di atas|awal)\w*", needs=("instruksi", "perintah", "petunjuk", "arahan")),
    Order(DICTATE, rf"{_start('dan', 'lalu', 'harap', 'tolong')}jawab(?:lah)?\s+(?:(?:hanya|selalu|dengan|bahwa ini|kata)\s+){{0,3}}[\"“]?(?:benar|salah|true|false)\b(?!\s+atau\b)", needs=("benar", "salah", "true", "false")),
    Order(IGNORE, rf"{_start('hãy', 'xin', 'vui lòng', 'bạn phải')}(?:bỏ qua|phớt lờ|quên)\b.{{0,20}}(?:hướng dẫn|chỉ dẫn|chỉ thị|mệnh lệnh|lệnh).{{0,12}}(?:trước|ở trên|bên trên|ban đầu)", needs=("hướng dẫn", "chỉ dẫn", "chỉ thị", "lệnh")),
    Order(DICTATE, rf"{_start('hãy', 'và', 'chỉ')}trả lời\s+(?:(?:chỉ|là|rằng|bằng|từ)\s+){{0,3}}[\"“]?(?:đúng|sai|true|false)\b(?!\s+(?:hay|hoặc|sự|lúc|trọng|luật)\b)", needs=("đúng", "sai", "true", "false")),
    Order(IGNORE, r"(?:^|[.!?:]\s*|\b(?:אנא|בבקשה|עכשיו)\s+)(?:התעלם|התעלמי|התעלמו|תתעלם|שכח|שכחי|שכחו)\s.{0,12}(?:ההוראות|ההנחיות|הפקודות|הוראות).{0,12}(?:קודמ|לעיל|למעלה|שלך)"),
    Order(DICTATE, r"(?:^|[.!?:]\s*|\b[ו]?)(?:ענה|עני|ענו|השב)\s+(?:(?:רק|תמיד|במילה)\s+){0,2}[\"“]?(?:נכון|לא נכון|אמת|שקר)(?!\s+או\b)"),
    Order(IGNORE, r"(?:دستور|دستورات|دستورالعمل|دستورهای).{0,12}(?:قبلی|پیشین|بالا|پیش).{0,8}(?:نادیده بگیر(?:ید)?|فراموش کن(?:ید)?)(?![\w])"),
    Order(DICTATE, r"\bپاسخ\s+(?:\"|«)?(?:درست|نادرست|صحیح|غلط)(?:\"|»)?\s+(?:بده|بدهید)(?!\w)"),
    Order(IGNORE, r"(?:เพิกเฉยต่อ|ละเว้น|ไม่ต้องสนใจ|อย่าสนใจ|ลืม|จงเพิกเฉย)(?:ทุก|ทั้งหมด)?(?:คำสั่ง|คำแนะนำ|ข้อกำหนด).{0,12}(?:ก่อนหน้า|ข้างต้น|ด้านบน|เดิม)"),
)  # fmt: skip
"""Rows in the order of their languages."""
