/** The style of the page. Roles of colour are those of the terminal's themes; no font and no picture comes from elsewhere. */
export const style = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--text:#1f242c;--secondary:#535b68;--furniture:#d5d9e0;--faint:#eef0f4;
--now:#005f9e;--needs-you:#a63f00;--done:#2b6a1e;--failed:#b3203f;--held:#7a4d00;--accent:#1d4fc0;--added:#dcf5d5;--removed:#ffe3e8;--needs-ground:#fff4ea;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
@media (prefers-color-scheme:dark){:root{--ground:#15181e;--card:#1c2028;--text:#dde1e8;--secondary:#a3abb9;--furniture:#363d4a;--faint:#252a34;
--now:#7dcfff;--needs-you:#ff9e64;--done:#9ece6a;--failed:#f98ba0;--held:#e0af68;--accent:#8fb2ff;--added:#1f3a22;--removed:#4a2029;--needs-ground:#2f231b}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.55 var(--sans);overflow-wrap:anywhere}
header,main,footer{max-width:1160px;margin:0 auto;padding:0 24px}
header{padding-top:36px}
footer{padding-top:12px;padding-bottom:40px;color:var(--secondary);font-size:13px}
footer p{margin:4px 0}
.skip{position:absolute;left:-999px}
.skip:focus{left:12px;top:12px;background:var(--card);padding:8px 12px;z-index:1}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
a{color:var(--accent)}
h1{font-size:27px;line-height:1.25;margin:6px 0 10px;letter-spacing:-.01em;font-weight:650}
h2{font-size:17px;margin:40px 0 12px;font-weight:650}
h4{font-size:12.5px;margin:16px 0 6px;color:var(--secondary);font-weight:600}
p{margin:6px 0}
code,pre,.path,.id{font-family:var(--mono);font-size:.9em}
pre{background:var(--faint);border-radius:6px;padding:10px 12px;overflow:auto;margin:8px 0;line-height:1.45;white-space:pre-wrap}
.quiet,.facts,dt{color:var(--secondary)}
.facts{font-size:13px;font-variant-numeric:tabular-nums}
.session{color:var(--secondary);font-size:13px;margin:0;font-variant-numeric:tabular-nums}
.status{margin-left:10px;padding:2px 9px;border-radius:99px;border:1px solid currentColor;font-weight:600}
.status.good,.now.good{color:var(--done)}.status.bad,.now.bad{color:var(--failed)}.status.you,.now.you{color:var(--needs-you)}
.status.held,.now.held,.status.wait,.now.wait{color:var(--held)}.status.work,.now.work{color:var(--now)}
p.now{font-size:16px;margin:0 0 16px}
.progress{display:flex;height:6px;border-radius:3px;overflow:hidden;background:var(--furniture);margin:0 0 14px}
.progress span{flex-basis:0}.progress .done{background:var(--done)}.progress .failed{background:var(--failed)}
dl.facts{display:flex;flex-wrap:wrap;gap:6px 32px;margin:0 0 14px;font-size:14px}
dl.facts dt{font-size:12px}dl.facts dd{margin:0;color:var(--text)}
.strip{list-style:none;display:flex;flex-wrap:wrap;gap:0;padding:0;margin:0;font-size:13px;color:var(--secondary)}
.strip li:not(:last-child)::after{content:"→";margin:0 10px;color:var(--secondary)}
.strip .current{color:var(--text);font-weight:650}.strip .ahead,.strip .skipped{opacity:1}
.strip .passed::before{content:"✓ ";color:var(--done)}.strip .bad{color:var(--failed)}.strip .bad::before{content:"✗ "}
.needs{background:var(--needs-ground);border:1px solid var(--needs-you);border-radius:10px;padding:2px 20px 14px;margin-top:28px}
.needs h2{margin-top:14px;color:var(--needs-you)}
.need+.need{border-top:1px solid var(--furniture);margin-top:12px;padding-top:8px}
.options{list-style:none;display:flex;flex-wrap:wrap;gap:8px;padding:0;margin:8px 0}
.options li{border:1px solid var(--furniture);border-radius:6px;padding:2px 10px;background:var(--card)}
.scroll{overflow-x:auto}
.graph svg{max-width:100%;height:auto}
.graph,.timeline{background:var(--card);border:1px solid var(--furniture);border-radius:10px;padding:14px;margin-bottom:16px}
svg{display:block}
svg text{font-family:var(--mono);font-size:12px;fill:var(--text)}
svg a{text-decoration:none}
.graph .edges path{fill:none;stroke:var(--furniture);stroke-width:1.6}
.graph .edges .passed{stroke:var(--done);stroke-opacity:.55}.graph .edges .against{stroke:var(--failed);stroke-dasharray:4 3}
.graph .box{fill:var(--card);stroke:var(--furniture);stroke-width:1.3}
.graph .box.done{stroke:var(--done);stroke-opacity:.55}.graph .box.failed{stroke:var(--failed)}.graph .box.now{stroke:var(--now)}
.graph .box.held{stroke:var(--held)}.graph .box.needs-you{stroke:var(--needs-you);stroke-width:2}
.graph a:hover .box,.graph a:focus .box{fill:var(--faint)}
.graph .id{font-weight:600}.graph text.title{font:10.5px var(--sans);fill:var(--secondary)}.graph .took{font-size:11px;fill:var(--secondary)}
svg text.sign.done{fill:var(--done)}svg text.sign.failed{fill:var(--failed)}svg text.sign.now{fill:var(--now)}svg text.sign.held{fill:var(--held)}
svg text.sign.needs-you{fill:var(--needs-you)}svg text.sign.secondary{fill:var(--secondary)}
.timeline svg{width:100%;min-width:720px}
.timeline text{font:10.5px var(--mono)}
.timeline .lane{fill:var(--secondary);font:11.5px var(--sans)}
.timeline .state rect{fill:var(--faint)}.timeline .state.odd rect{fill:var(--furniture)}.timeline .state text{font:11px var(--sans)}
.timeline .tick line{stroke:var(--furniture);stroke-width:1;stroke-dasharray:2 3}.timeline .tick text{fill:var(--secondary)}
.timeline .bar rect{fill:var(--done);fill-opacity:.28;stroke:var(--done);stroke-width:1}
.timeline .bar.bad rect{fill:var(--failed);fill-opacity:.24;stroke:var(--failed)}
.timeline .bar.running rect{fill:var(--now);fill-opacity:.24;stroke:var(--now)}
.timeline .bar.stopped rect{fill:var(--held);fill-opacity:.2;stroke:var(--held);stroke-dasharray:3 2}
.timeline .bar rect.waits{fill:var(--card);fill-opacity:.75;stroke:none}
.timeline .span{fill:var(--held);fill-opacity:.12}.timeline .span.you{fill:var(--needs-you);fill-opacity:.12}
.timeline .mark circle{fill:var(--card);stroke:var(--accent);stroke-width:1.3}.timeline .mark text{fill:var(--accent);font-weight:700;font-size:9.5px}
.tasks{border:1px solid var(--furniture);border-radius:10px;background:var(--card);overflow:hidden}
.task+.task{border-top:1px solid var(--furniture)}
.task>summary{display:grid;grid-template-columns:18px minmax(90px,max-content) minmax(30%,1fr) fit-content(46%) auto 10px;gap:4px 10px;padding:9px 14px;align-items:baseline}
summary{cursor:pointer;list-style-position:outside}
.task>summary,details.file>summary{list-style:none}.task>summary::after,details.file>summary::after{content:"›";color:var(--secondary);justify-self:end}
.task[open]>summary::after,details.file[open]>summary::after{content:"⌄"}details.file>summary{display:flex;gap:10px;align-items:baseline}details.file>summary::after{margin-left:auto}details.file .quiet{font-size:13px}
.task>summary::-webkit-details-marker,details.file>summary::-webkit-details-marker{display:none}
.task>summary:hover,details.file>summary:hover{background:var(--faint)}
.task .id{font-weight:600}.task .title{min-width:0}
.task>summary .facts{min-width:84px;text-align:right}
.word{font-size:13px}
.done>.word,.word.done,.sign.done{color:var(--done)}.word.failed,.sign.failed{color:var(--failed)}.word.now,.sign.now{color:var(--now)}
.word.held,.sign.held{color:var(--held)}.word.needs-you,.sign.needs-you{color:var(--needs-you)}.word.secondary,.sign.secondary{color:var(--secondary)}
.body{padding:4px 18px 18px 42px;border-top:1px solid var(--furniture);scroll-margin-top:56px}
dl.edges{margin:10px 0}dl.edges div{display:grid;grid-template-columns:96px 1fr;gap:8px;margin:3px 0}
dl.edges dd{margin:0;display:flex;flex-wrap:wrap;gap:2px 12px}
.criteria,.steps{padding-left:20px;margin:4px 0}
.steps{list-style:none;padding:0}.steps li,.criteria li{position:relative}
.steps li{padding:1px 0 1px 20px}.steps li::before{content:"·";position:absolute;left:4px;color:var(--secondary)}
.steps li.good::before{content:"✓";color:var(--done)}.steps li.bad::before{content:"✗";color:var(--failed)}
.steps .facts{margin-left:10px}
.criteria{list-style:none;padding-left:20px}.criteria li::before{content:"○";position:absolute;left:-18px;color:var(--secondary)}
.criteria .good::before{content:"✓";color:var(--done)}.criteria .bad::before{content:"✗";color:var(--failed)}.verdict{color:var(--secondary);font-size:13px}
.attempt{border-left:2px solid var(--furniture);padding-left:14px;margin:8px 0}
.attempt p .facts{margin-left:10px}
.attempt .reason{color:var(--failed)}.steer{color:var(--accent)}
.diffs{margin:6px 0}
details.file{border:1px solid var(--furniture);border-radius:8px;background:var(--card);margin:6px 0;overflow:hidden}
details.file>summary{padding:6px 12px}details.file>.rich,details.file>p{padding:0 14px}
.counts{font:12.5px var(--mono);white-space:nowrap}.plus{color:var(--done)}.minus{color:var(--failed)}
table{border-collapse:collapse}th{text-align:left;font-size:12.5px;color:var(--secondary);font-weight:600}
th,td{padding:3px 16px 3px 0;vertical-align:top;overflow-wrap:normal}td:first-child{white-space:nowrap}.amount{text-align:right;font-variant-numeric:tabular-nums}th:not(:first-child){text-align:inherit}
.costs th:not(:first-child){text-align:right}
table.diff{width:100%;font:12.5px/1.5 var(--mono);border-top:1px solid var(--furniture)}
.diff td{padding:0 8px;overflow-wrap:normal}.diff .code{white-space:pre;width:100%}.diff .number{color:var(--secondary);text-align:right;user-select:none;font-size:11px;min-width:36px;line-height:1.7}
.diff .sign{padding:0 2px;user-select:none}.diff .added{background:var(--added)}.diff .removed{background:var(--removed)}
.diff .added .number,.diff .removed .number{color:var(--text)}.diff .hunk td{color:var(--secondary);background:var(--faint);padding:2px 10px;white-space:pre}.diff .note td{color:var(--secondary)}
.lead{font-size:15px}.columns{display:flex;flex-wrap:wrap;gap:12px 64px}
.steering,.log,.life{list-style:none;padding:0;margin:0}
.steering>li{background:var(--card);border:1px solid var(--furniture);border-radius:8px;padding:8px 16px;margin:8px 0}
.steering p{margin:2px 0}.kind{font-weight:650}.steering .facts{margin-left:8px}
time{font-variant-numeric:tabular-nums;color:var(--secondary);margin-right:6px;font-size:13px}
blockquote{margin:4px 0;padding-left:12px;border-left:3px solid var(--accent);white-space:pre-wrap}
.came{font-size:14px}.came.good::before{content:"✓ ";color:var(--done)}.came.bad::before{content:"✗ ";color:var(--failed)}.came.open::before{content:"… ";color:var(--held)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;padding:0;margin:-6px 0 10px;font-size:12.5px;color:var(--secondary)}
.legend i{display:inline-block;width:14px;height:9px;border-radius:2px;margin-right:6px;border:1px solid}.legend .good i{border-color:var(--done)}.legend .bad i{border-color:var(--failed)}.legend .wait i{border-color:var(--needs-you)}
.prose{white-space:pre-wrap;max-width:75ch}.rich p,.rich ul{max-width:80ch}.rich .head{font-weight:650;margin-top:12px}
li.good{color:inherit}.problems .bad{color:var(--failed)}
.log{font-size:13.5px;margin-top:8px}.log li{padding:1px 0}
details.aside>summary,details.report>summary,.steering summary{list-style-position:inside;color:var(--secondary);font-size:13.5px;padding:4px 0}
@media (max-width:640px){body{font-size:15px}header,main,footer{padding-left:16px;padding-right:16px}header{padding-top:22px}h1{font-size:22px}
.graph{display:none}.task>summary{grid-template-columns:18px 1fr auto}.task>summary .title{grid-column:2/4;grid-row:2}.task>summary .word{grid-column:2/3;grid-row:3}
.task>summary::after{display:none}.task>summary .facts{grid-column:3;grid-row:1;min-width:0}.body{padding:4px 14px 14px}dl.edges div{grid-template-columns:80px 1fr}dl.facts{gap:6px 22px}}
@media print{:root{--ground:#fff;--card:#fff;--text:#000;--secondary:#444;--furniture:#bbb;--faint:#f2f2f2;--now:#005f9e;--needs-you:#a63f00;--done:#2b6a1e;--failed:#b3203f;--held:#7a4d00;--accent:#1d4fc0;--added:#e6f8e0;--removed:#ffe9ed;--needs-ground:#fff}
body{font-size:11px}.skip{display:none}details::details-content{content-visibility:visible;display:block}.scroll{overflow:visible}.diff .code{white-space:pre-wrap}
.task,.steering>li,.attempt,tr{break-inside:avoid}h2{break-after:avoid}.graph svg,.timeline svg{max-width:100%;height:auto;min-width:0}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
