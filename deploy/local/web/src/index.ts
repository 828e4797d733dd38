export { html, Html } from './html.js';
export { icon, page, pageHeaders, type Page, type PageContent } from './layout.js';
export { Refusal } from './refusal.js';
export { requestUrl, bodyOf, formOf, jsonOf, sendIcon, sendJson, sendPage } from './requests.js';
