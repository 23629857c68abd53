"""Ordinary pages with what ordinary pages have, each with the words that a reader sees."""

PAGES: dict[str, tuple[str, str]] = {
    "a news page": (
        """<html><head><title>Rain</title><link rel=stylesheet href=a.css><style>.menu ul{display:none}
        .menu:hover ul{display:block} .hero h1{color:#fff}</style></head><body><header><h1>Rain in Calder</h1></header>
        <div class="hero" style="background-image:url(x.jpg)"><h2 style="color:white">Three days of it</h2></div>
        <article><p>It <b>rained</b> for <a href="/x">three</a> days&nbsp;&ndash; 4&lt;5.</p><p>No<wbr>body minded.</p>
        <script>track()</script></article><footer style="color:#eee">Imprint</footer></body></html>""",
        "Rain in Calder Three days of it It rained for three days – 4<5. Nobody minded. Imprint",
    ),
    "a dark page": (
        "<style>body{background:#111;color:#eee} a{color:#fff} .card{background:white;color:#222}</style>"
        "<body><p>Light on dark</p><a href=x>link</a><div class=card>Dark on <span>light</span></div></body>",
        "Light on dark link Dark on light",
    ),
    "a page of variables": (
        "<style>:root{--ground:#111;--ink:oklch(.95 0 0);--loop:var(--loop)} body{background:var(--ground);color:var(--ink)}"
        "@media (prefers-color-scheme:dark){p{color:#111}} .b{color:var(--nowhere);display:var(--loop)}"
        "p:not(.a,.b){font-size:calc(1rem + .5vw)} .x:is(h1,h2){display:none} p:nth-child(2n):where(.z){display:none}"
        ".z{display:none;display:grid} .y{color:tomato;font-size:clamp(1rem, 2vw, 3rem)}</style>"
        "<body><p class=a>One</p><p class=b>Two</p><p class=y>Three</p><p class=x>Four</p></body>",
        "One Two Three Four",
    ),
    "a page whose variables are elsewhere": (
        "<link rel=stylesheet href=a.css><div style='color:#fff'><p style='color:var(--ink)'>One</p></div>"
        "<p style='color:color-mix(in srgb, red, blue);transform:matrix(1,0,0,1,0,0) rotateY(5deg)'>Two</p>",
        "One Two",
    ),
    "a page that fades in": (
        "<style>@keyframes show{from{opacity:0}to{opacity:1}} .in{opacity:0;animation:show 1s forwards}"
        "body{visibility:hidden}</style><body><p class=in>Here I am</p></body>",
        "Here I am",
    ),
    "a page for several screens": (
        "<style>.wide{display:none} @media (min-width:768px){.wide{display:block}} @media print{.all{display:none}}"
        "@media (max-width:600px){.all{display:none}}</style><p class=wide>Wide</p><p class=all>All</p>",
        "Wide All",
    ),
    "classes that hide and show": (
        "<style>.fade{opacity:0}.fade.show{opacity:1}.tab{display:none}.tab.on{display:block}</style>"
        "<p class='fade show'>One</p><p class='tab on'>Two</p><p class='d-none d-md-block'>Three</p>",
        "One Two Three",
    ),
    "letters of no size around letters of some": (
        "<div style='font-size:0'><span style='font-size:14px'>One</span> <span style='font-size:14px'>Two</span></div>",
        "One Two",
    ),
    "small print and big print": (
        "<p>H<sub>2</sub>O <small style='font-size:9px'>small</small> <span style='font-size:.7em'>less</span></p>"
        "<p style='text-indent:-2em;margin-left:-20px;position:relative;left:-5px'>hanging</p>",
        "H2O small less hanging",
    ),
    "cut letters": (
        "<h1 style='color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text'>Rainbow</h1>"
        "<h2 style='background:url(a.png);color:#fff'>Picture</h2><td>",
        "Rainbow Picture",
    ),
    "boxes": (
        "<div style='height:0'>Overflowing</div><div style='overflow:hidden;height:200px'>In a box</div>"
        "<div style='overflow:hidden;width:100%;max-height:none'>Wide box</div><details><summary>More</summary></details>",
        "Overflowing In a box Wide box More",
    ),
    "a table": (
        "<table bgcolor='#003366'><tr><th><font color=white>Year</font></th><td bgcolor='#ffffff'>1968</td></tr></table>",
        "Year 1968",
    ),
    "hidden and shown again": (
        "<p style='visibility:hidden'>no <span style='visibility:visible'>Yes</span></p><p aria-hidden=true>Also</p>",
        "Yes Also",
    ),
    "other scripts": (
        "<p>می\u200cخواهم کتاب\u200cها</p><p>क्\u200dष</p><p>👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3</p><p>葛\U000e0100飾</p><p>naïve e\u0301</p>",
        "می\u200cخواهم کتاب\u200cها क्\u200dष 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3 葛\U000e0100飾 naïve e\u0301",
    ),
    "careless markup": (
        "<p>One<p>Two<div>Three</p></div><ul><li>Four<li>Five</ul><b>Six<i>Seven</b></i> 1 < 2 & 3 <!-- no -->end",
        "One Two Three Four Five SixSeven 1 < 2 & 3 end",
    ),
    "unknown elements": (
        "<my-card><x:y>One</x:y></my-card><center>Two</center><marquee>Three</marquee><pre>Four\n  Five</pre>",
        "One Two Three Four Five",
    ),
}  # fmt: skip
