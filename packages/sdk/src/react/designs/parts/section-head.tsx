import type { ReactNode } from 'react'
import { Actions } from './actions.tsx'
import type { Content } from '../reading/read-block.ts'
import { Heading, Paragraphs } from './texts.tsx'

/** The head above several blocks. The section is named by `titleId`; `children` are beside its actions. */
export function SectionHead({ content, titleId, children }: { content: Content; titleId: string; children?: ReactNode }) {
  return (
    <div className="cf-head">
      <div>
        {content.eyebrow !== undefined && <p className="cf-eyebrow">{content.eyebrow}</p>}
        {content.title !== undefined && (
          <Heading id={titleId} className="cf-section-title">
            {content.title}
          </Heading>
        )}
        {content.subtitle !== undefined && <p className="cf-subtitle">{content.subtitle}</p>}
        <Paragraphs paragraphs={content.paragraphs} />
      </div>
      <div className="cf-head-side">
        <Actions actions={content.actions.map((action) => ({ ...action, isNamed: false }))} />
        {children}
      </div>
    </div>
  )
}
