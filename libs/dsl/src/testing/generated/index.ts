/**
 * Generated definitions: sound whatever the choices are, and sure to end when they are executed.
 *
 * `arbitraryDefinition()` makes definitions over the catalog `SHOP`, each with an input. To execute one, let each activity
 * answer what `performOf` says, or fail as its contract allows, and send signals to the waits that `waitsOf` lists.
 */
export { COMPENSATIONS, CONTRACTS, SHOP, SHOP_CATALOG, SIGNAL_SCHEMAS } from './catalog.js';
export { arbitraryDefinition, type Generated, type GeneratedOptions } from './definition.js';
export { editsOf, type Edit } from './edits.js';
export { performOf, type Performed } from './handlers.js';
export { leafEdit, treeEdit } from './json-edits.js';
export { arbitraryPicks, Picks } from './picks.js';
export { activitiesOf, waitsOf, type PlannedActivity, type PlannedWait } from './plan.js';
export { spellDocument } from './spelling.js';
export { arbitraryValue } from './values.js';
export { styleYaml } from './yaml-style.js';
