/** Options of the MiniSearch index. They must match those in `assets/site.js`, which loads the index. */
export const searchOptions = { fields: ['title', 'page', 'text'], storeFields: ['page', 'title'] };
