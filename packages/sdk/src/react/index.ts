// Becomes the file of its own that apps import as `@contentflow/sdk/react/styles.css`.
import './styles.css'

export { Block } from './block.tsx'
export { campaignBlock, Campaigns, type CampaignsProps } from './campaigns.tsx'
export { useClient, useSnapshot } from './context.ts'
export { Design, type DesignProps } from './designs/design.tsx'
export { DESIGN_TYPES, type DesignBlock, type DesignType } from './designs/reading/design-block.ts'
export { readLink, type Link } from './designs/reading/read-link.ts'
export type { Words } from './designs/reading/words.ts'
export { ContentFlowProvider, type ContentFlowProviderProps } from './provider.tsx'
export { useReady, useSuspenseReady } from './ready.ts'
export { typedHooks, type TypedHooks } from './typed-hooks.ts'
export { useBlock, useBlocks, useCampaigns, useString, type CampaignsAnswer } from './use-content.ts'
