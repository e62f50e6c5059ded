/** Schemas, activity contracts and reconcilers of a namespace: immutable by name and version (spec 01 "Publication"). */
import type { Catalog } from '@graphrun/dsl';
import { catalogFromEntries, parseCatalog, versionedName } from '@graphrun/dsl';
import { GraphrunError } from '@graphrun/protocol';
import type { CatalogEntries, QueryStore } from '@graphrun/store';
import { NAMESPACE } from '../config.js';
import { catalogView, withNamedReconcilers } from './catalog-view.js';
import { diagnosticView } from './diagnostic-view.js';

export interface CatalogPublished {
  /** `name/vN` of everything in the published catalog, new or equal to what was there. */
  readonly schemas: readonly string[];
  readonly activities: readonly string[];
  readonly reconcilers: readonly string[];
}

export class CatalogService {
  constructor(
    private readonly query: QueryStore,
    /** Told after contracts were published; an embedded worker host then serves them. */
    private readonly onPublished: (() => Promise<void>) | undefined,
  ) {}

  /** Publishes `graphrun.catalog/v1` text. Throws `InvalidArgument` with diagnostics, `AlreadyExists` naming the entry. */
  async publishText(text: string, file: string): Promise<CatalogPublished> {
    return this.publish(readCatalog(text, file));
  }

  async publish({ schemas, contracts, reconcilers }: CatalogEntries): Promise<CatalogPublished> {
    await this.query.publishCatalog(NAMESPACE, { schemas, contracts, reconcilers });
    await this.onPublished?.();
    return {
      schemas: Object.keys(schemas).toSorted(),
      activities: namesOf(contracts),
      reconcilers: namesOf(reconcilers),
    };
  }

  /** All that is published, ready to compile against. */
  async current(): Promise<Catalog> {
    const { schemas, contracts, reconcilers } = await this.query.catalog(NAMESPACE);
    return catalogFromEntries({ schemas, contracts, reconcilers: withNamedReconcilers(contracts, reconcilers) });
  }

  /** All that is published, as a catalog document. */
  async view() {
    return catalogView(await this.query.catalog(NAMESPACE));
  }
}

function namesOf(entries: readonly { readonly name: string; readonly version: number }[]): readonly string[] {
  return entries.map(({ name, version }) => versionedName(name, version)).toSorted();
}

/** Throws `InvalidArgument` whose details list every diagnostic. */
export function readCatalog(text: string, file: string): Catalog {
  const result = parseCatalog(text, file);
  if (result.ok) return result.catalog;
  const [first] = result.diagnostics;
  throw new GraphrunError(
    'InvalidArgument',
    `The catalog is not valid: ${result.diagnostics.length} ${result.diagnostics.length === 1 ? 'error' : 'errors'}, first ${first?.file ?? file}:${first?.line ?? 1}: ${first?.message ?? ''}.`,
    { details: { diagnostics: result.diagnostics.map(diagnosticView) } },
  );
}
