/** Questions and answers about campaigns; these types are part of the public API, like those of `types.ts`. */

/** A campaign for a placement (G-22), in the language and the variant of this device. */
export type Campaign = {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly priority: number
  /** The placement it was asked for, else its only one; null when it has several, or is for every one. */
  readonly placementId: string | null
  /** `title`, `body`, `imageUrl`, `ctaLabel`, `ctaUrl`, and `data` with whatever the campaign holds besides. */
  readonly content: Readonly<Record<string, unknown>>
  /** Absent without variants. */
  readonly variantId?: string
  /** ISO 8601. */
  readonly startTime: string
  readonly endTime: string | null
  readonly source: string
}

/** The context by which campaigns are chosen. */
export type CampaignContext = {
  attributes?: Readonly<Record<string, unknown>>
  location?: Readonly<Record<string, unknown>>
  context?: Readonly<Record<string, unknown>>
}

/** A call of a route of the client API that has no method of its own. `path`: under the root, with its query. */
export type ClientRequest = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; body?: Record<string, unknown> }
