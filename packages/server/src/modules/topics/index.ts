/** What the rest of the server may ask of topics. */
export {
  copyTopics,
  findPreferencePage,
  isPageInMails,
  judgedTopic,
  listJudgedTopics,
  listTopicCode,
  listTopics,
  type StoredTopic,
} from './queries-topics.ts'
export { applyTopics, refuseTopics } from './topics.ts'
