/** Styles of the gateway's own pages: light and dark, responsive. */
export const pageStyle = `
:root{color-scheme:light dark;--ground:#f6f4ef;--card:#fff;--ink:#1d2430;--soft:#5b6574;--line:#e4e0d6;--accent:#0f766e;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#12161c;--card:#1a2028;--ink:#eef1f5;--soft:#a3adba;--line:#2b333e;--accent:#5eead4;--on-accent:#06302c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{width:100%;max-width:30rem;padding:clamp(1.75rem,6vw,3rem);background:var(--card);border:1px solid var(--line);border-radius:1.25rem}
.brand{font-size:.875rem;font-weight:600;color:var(--accent)}
h1{margin:.5rem 0 .75rem;font-size:clamp(1.5rem,5vw,2rem);line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty;overflow-wrap:anywhere}
.action{display:block;margin-top:2rem;padding:.75rem 1.25rem;border-radius:.75rem;background:var(--accent);color:var(--on-accent);font-weight:600;text-align:center;text-decoration:none}
.action:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
footer{margin-top:2rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.8125rem;color:var(--soft);overflow-wrap:anywhere}
`;
