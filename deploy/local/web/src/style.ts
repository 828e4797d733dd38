/** The style sheet of all pages. Colors and shapes match the pages for visitors of short links. */
export const style = `
:root{color-scheme:light dark;--ground:#f6f4ef;--card:#fff;--ink:#1d2430;--soft:#5b6574;--line:#e4e0d6;--edge:#b9b3a4;--accent:#0f766e;--pressed:#0b5c56;--on-accent:#fff;--tint:#e8f3f1;--bad:#b42318;--bad-tint:#fdf0ee}
@media (prefers-color-scheme:dark){:root{--ground:#12161c;--card:#1a2028;--ink:#eef1f5;--soft:#a3adba;--line:#2b333e;--edge:#566173;--accent:#5eead4;--pressed:#99f6e4;--on-accent:#0b2a27;--tint:#17302f;--bad:#ff9d92;--bad-tint:#33201f}}
*{box-sizing:border-box}
[hidden]{display:none !important}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;-webkit-text-size-adjust:100%}
main{width:100%;max-width:27rem;padding:2.25rem 2.5rem 2.5rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem}
.brand{display:flex;align-items:center;gap:.4rem;margin:0 0 1.75rem -.3rem;font-weight:650;letter-spacing:-.01em;color:var(--ink)}
.brand svg{width:2rem;height:2rem;color:var(--accent)}
h2{margin:1.75rem 0 0;font-size:1.0625rem;line-height:1.3;letter-spacing:-.01em}
h1{margin:0;font-size:1.625rem;line-height:1.2;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0;text-wrap:pretty}
.lead{margin-top:.6rem;color:var(--soft)}
.lead b{color:var(--ink);font-weight:600;overflow-wrap:anywhere}
form{margin:1.75rem 0 0}
dl+form{margin-top:.75rem}
dl+form button{margin-top:0}
.field{margin-bottom:1.15rem}
label{display:block;margin-bottom:.4rem;font-size:.9375rem;font-weight:600}
.more{margin-top:1rem;text-align:center;font-size:.9375rem}
input{display:block;width:100%;height:3rem;padding:0 .875rem;border:1px solid var(--edge);border-radius:.7rem;background:var(--card);color:var(--ink);font:inherit;font-size:1rem}
input::placeholder{color:var(--soft);opacity:.75}
input:focus{outline:3px solid var(--accent);outline-offset:-1px;border-color:transparent}
input[aria-invalid]{border-color:var(--bad)}
input[aria-invalid]:focus{outline-color:var(--bad)}
input.code{height:3.75rem;text-align:center;text-transform:uppercase;font:600 1.5rem/1 ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.12em}
.field.alone{margin-top:1.75rem}
.hint,.error{margin-top:.4rem;font-size:.875rem;color:var(--soft)}
.error{color:var(--bad);font-weight:500}
.alert{margin:1.5rem 0 -.5rem;padding:.8rem 1rem;border-radius:.7rem;background:var(--bad-tint);color:var(--bad);font-size:.9375rem;font-weight:500}
.note{margin-top:1.5rem;padding:1rem;border-radius:.7rem;background:var(--tint);font-size:.9375rem}
.note a{display:inline-block;margin-top:.35rem}
button,.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:3rem;margin-top:1.5rem;padding:.5rem 1rem;border:1px solid transparent;border-radius:.7rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--pressed)}
button.quiet,.button.quiet{margin-top:.75rem;background:transparent;border-color:var(--edge);color:var(--ink)}
button.quiet:hover,.button.quiet:hover{border-color:var(--ink)}
a{color:var(--accent);font-weight:600;text-underline-offset:.2em;text-decoration-thickness:.08em}
a:focus-visible,button:focus-visible,.button:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:.4rem}
button:focus-visible,.button:focus-visible{border-radius:.7rem}
dl{margin:1rem 0 0;border:1px solid var(--line);border-radius:.9rem}
dl div{display:flex;gap:1rem;padding:.75rem 1rem}
dl div+div{border-top:1px solid var(--line)}
dt{flex:0 0 5.5rem;color:var(--soft);font-size:.9375rem}
dd{margin:0;min-width:0;overflow-wrap:anywhere;font-size:.9375rem;font-weight:600}
dd small{display:block;font-size:.875rem;font-weight:400;color:var(--soft)}
.alert+dl,.price+dl{margin-top:1.5rem}
h2+dl{margin-top:.6rem}
.alert:has(+dl){margin-bottom:0}
.price{margin-top:.5rem;font-size:2.25rem;font-weight:650;line-height:1.2;letter-spacing:-.03em}
.price small{font-size:1rem;font-weight:400;letter-spacing:0;color:var(--soft)}
.line dt{flex:1;min-width:0;color:var(--ink);font-weight:600;overflow-wrap:anywhere}
.line dt small{display:block;font-size:.875rem;font-weight:400;color:var(--soft)}
.line dd{white-space:nowrap;text-align:right}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:.75rem}
.pair form{margin:0}
.pair button.quiet,.pair .button.quiet{margin:0}
.usercode{margin:1.5rem 0 0;padding:1rem .5rem;border-radius:.9rem;background:var(--tint);text-align:center;font:650 1.75rem/1.1 ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.12em}
.symbol{display:grid;place-items:center;width:3.25rem;height:3.25rem;margin-bottom:1.25rem;border-radius:50%;background:var(--tint);color:var(--accent)}
.symbol.refused{background:var(--bad-tint);color:var(--bad)}
.symbol svg{width:1.6rem;height:1.6rem;fill:none;stroke:currentColor;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
footer{margin-top:1.75rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.9375rem;color:var(--soft)}
@media (max-width:30rem){
body{display:block;padding:0;background:var(--card)}
main{max-width:none;min-height:100vh;min-height:100svh;padding:1.5rem 1.5rem 2.5rem;border:0;border-radius:0}
.brand{margin-bottom:2.25rem}
}
@media (prefers-reduced-motion:no-preference){button,.button,input{transition:background-color .12s,border-color .12s}}
`;
