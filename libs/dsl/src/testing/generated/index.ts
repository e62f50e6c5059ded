export { SHOP, SHOP_CATALOG } from './catalog.js';
export { arbitraryDefinition, type Generated, type GeneratedOptions } from './definition.js';
export { editsOf, type Edit } from './edits.js';
export { performOf, type Performed } from './handlers.js';
export { leafEdit, treeEdit } from './json-edits.js';
export { arbitraryPicks, Picks } from './picks.js';
export { activitiesOf, waitsOf, type PlannedActivity, type PlannedWait } from './plan.js';
export { spellDocument } from './spelling.js';
export { styleYaml } from './yaml-style.js';
