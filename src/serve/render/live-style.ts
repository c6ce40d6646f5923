import { style } from '../../page/render/style.ts';

/** The style of the live pages: that of the written page, and what fingers need. */
export const liveStyle = `${style}
.crumbs{margin:0;padding-top:14px;font-size:14px}.crumbs a{display:inline-block;padding:8px 0}
.live>.crumbs,main>.crumbs{max-width:1160px}.live>.crumbs{margin:0 auto;padding-left:24px;padding-right:24px}
header#head{padding-top:4px}#head .status{margin-left:0}main{padding-bottom:48px}main.pair{max-width:560px}
progress{width:100%;height:8px;accent-color:var(--done)}
#gone:empty,#lost{display:none}body[data-live=no] #gone:empty+#lost{display:block}#gone,#lost{margin:24px;padding:16px;border:1px solid var(--failed);border-radius:10px;color:var(--failed)}#gone:not(:empty)~.live{display:none}
.rows{list-style:none;margin:0;padding:0;border:1px solid var(--furniture);border-radius:10px;background:var(--card);overflow:hidden}
.rows li+li{border-top:1px solid var(--furniture)}
.row{display:grid;grid-template-columns:18px minmax(0,1fr) auto;gap:2px 10px;padding:12px 14px;color:inherit;text-decoration:none;align-items:baseline}
.row .word{grid-column:2}.row .facts{grid-column:3;grid-row:1}.row .id{font-weight:600}
.row:hover{background:var(--faint)}
form{margin:8px 0}fieldset{border:1px solid var(--furniture);border-radius:8px;margin:12px 0;padding:8px 12px}
.words{display:block;margin:8px 0}.words>span{display:block;font-size:13.5px;color:var(--secondary)}
.words textarea,.words input{width:100%;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--secondary);border-radius:8px;padding:10px 12px;min-height:44px;resize:vertical}
.choice{display:flex;gap:10px;align-items:flex-start;padding:8px 0;min-height:44px}.choice input{margin-top:5px}
.ways{display:flex;flex-wrap:wrap;gap:10px;margin:10px 0}
button{font:inherit;min-height:44px;padding:8px 16px;border-radius:8px;border:1px solid var(--secondary);background:var(--card);color:var(--text);text-align:left;cursor:pointer}
button.yes{background:var(--accent);border-color:var(--accent);color:var(--card);font-weight:600}
form.htmx-request button{cursor:default;border-style:dashed}
button.abort{border-color:var(--failed);color:var(--failed);touch-action:none;user-select:none;-webkit-user-select:none;background:linear-gradient(to right,var(--removed) 50%,var(--card) 50%) right/200% 100%}
button.abort.held{background-position:left;transition:background-position 2s linear}
.said{display:block;position:sticky;bottom:0;font-weight:600;background:var(--card)}.said:not(:empty){padding:12px 16px;border-top:1px solid var(--furniture)}.said .good{color:var(--done)}.said .bad{color:var(--failed)}p.bad{color:var(--failed)}
.watch form{display:none}
.controls{border-top:1px solid var(--furniture);margin-top:32px}
.lines{border:1px solid var(--furniture);border-radius:8px;background:var(--card);overflow:hidden;margin:8px 0}
.lines h3{margin:0;padding:8px 12px;background:var(--faint);font-size:13.5px}.lines pre{margin:0;border-radius:0;padding:2px 12px}
details.line>summary{padding:8px 12px;white-space:pre-wrap}details.line>.words,details.line>p{padding:0 12px 8px}
.lines .added{background:var(--added)}.lines .removed{background:var(--removed)}
@media (max-width:640px){.live>.crumbs{padding-left:16px;padding-right:16px}.ways button{flex:1 1 auto}h2{margin-top:26px}}
@media print{form,.controls,.crumbs,.said{display:none}}
@media (prefers-reduced-motion:reduce){button.abort.held{transition:none}}
`;
