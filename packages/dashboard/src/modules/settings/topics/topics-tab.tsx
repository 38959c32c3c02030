import { PreferencePageSection } from './preference-page-section.tsx'
import { TopicsSection } from './topics-section.tsx'

/** What people choose among messages, and the page on which they do. */
export function TopicsTab() {
  return (
    <>
      <TopicsSection />
      <PreferencePageSection />
    </>
  )
}
