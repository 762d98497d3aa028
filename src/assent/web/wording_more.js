// Made from src/assent/text/wording.py by `make docs`.
export const LOGGED={
  allow:"allowed once",
  allow_edited:"allowed, changed",
  allow_here:"allowed, stays",
  allow_for:"allowed, a while",
  allow_session:"allowed, session",
  allow_project:"allowed, project",
  allow_user:"always allowed",
  deny:"denied",
  deny_here:"always denied",
  deny_and_stop:"denied, stopped",
  hand_back:"left for the terminal",
  answer:"answered",
  approve:"approved",
  revise:"sent back",
  submit:"filled in",
  decline:"declined",
  cancel:"cancelled",
  keep_going:"kept going",
  let_stop:"let stop"};
export const ENDINGS={
  ran:{word:"ran",sign:"✓"},
  failed:{word:"failed",sign:"✕"},
  denied:{word:"not run",sign:"✕"},
  terminal:{word:"answered at the terminal",sign:"→"},
  expired:{word:"expired",sign:"◌"},
  handed_back:{word:"left for the terminal",sign:"→"},
  withdrawn:{word:"moved on",sign:"◌"},
  unknown:{word:"not known",sign:"◌"}};
export const DECISIONS={
  allow:{word:"allowed"},
  deny:{word:"denied"},
  prompt:{word:"prompted"},
  block:{word:"held back"},
  halt:{word:"halted"},
  proceed:{word:"kept going"},
  no_opinion:{word:"no opinion"}};
export const FEED={
  running:{word:"running",sign:"◐"},
  prompted:{word:"prompted",sign:"?"},
  done:{word:"done",sign:"✓"},
  failed:{word:"failed",sign:"✕"},
  denied:{word:"denied",sign:"■"},
  unfinished:{word:"no result",sign:"◌"}};
export const RULES={
  allow:{word:"allow",sign:"✓"},
  ask:{word:"ask",sign:"?"},
  deny:{word:"deny",sign:"■"}};
export const TRIALS={
  allow:{word:"It would run",sign:"✓"},
  ask:{word:"A person would be asked",sign:"?"},
  deny:{word:"It would be denied",sign:"■"},
  no_opinion:{word:"Nobody would say anything",sign:"–"}};
export const SCOPES={
  session:"this session",
  project:"this project",
  user:"all my projects"};
export const DECIDERS={
  rule:"a rule",
  permission:"answers that stay",
  stance:"the stance",
  person:"a person on a screen",
  terminal:"a person at the terminal",
  floor:"the floor",
  client:"the agent's own mode",
  unknown:"not known"};
export const ASKS_ENDED={
  allowed:"allowed on a screen",
  denied:"denied on a screen",
  terminal_allowed:"allowed at the terminal",
  terminal_denied:"denied at the terminal",
  terminal:"answered at the terminal",
  expired:"expired",
  handed_back:"left for the terminal",
  withdrawn:"moved on",
  unknown:"not known"};
export const TODOS={
  open:{word:"open",sign:"○"},
  doing:{word:"doing",sign:"◐"},
  done:{word:"done",sign:"✓"}};
export const SCREENS={
  page:"the page",
  desk:"watch and command line",
  terminal:"the agent's terminal"};
export const CAUSES={
  no_rule:"no rule speaks about it",
  asked:"the client's own dialog asks",
  timed_out:"nobody answered in time",
  handed_back:"left for the terminal",
  answered_elsewhere:"answered at the terminal",
  hub_unreachable:"the hub could not be reached",
  unknown_event:"this event is not known",
  paused:"the policy is paused",
  bad_input:"it could not be read",
  too_large:"it was too large",
  no_journal:"it could not be recorded"};
export const TOLD_WHEN={
  stop:"when it stops",
  tool:"with its next tool result",
  subagent:"when a sub-agent stops",
  teammate:"when a teammate idles",
  task:"when a task is called done"};
export const PICKED={
  stance:["Stance, where no rule speaks", {"watch": "watch: it only records", "balanced": "balanced: Look passes, Danger is always asked", "strict": "strict: Look passes, Care is asked, Danger denied"}],
  "asks.on_expiry":["When no answer comes", {"hand_back": "leave it for the terminal", "deny": "deny it"}],
  "asks.hold_stops":["Hold a finished turn for you", {"never": "never", "away": "while you are away", "always": "always"}],
  "asks.unattended":["Runs without a terminal wait for you", {"never": "never", "reachable": "if you can be reached", "always": "always"}],
  "presence.finished":["Tell me of turns that ended", {"never": "never", "away": "while you are away", "always": "also when you seem to be gone"}],
  "presence.wake_for":["In quiet hours still tell me of", {"nothing": "nothing", "danger": "Danger"}]};
export const TYPED={
  "asks.wait":"How long an ask waits",
  "asks.subagent_hold":"How long a sub-agent's ask waits while you are at the desk",
  "journal.keep":"How long records are kept"};
export const ACTIONS=[
  ["list.next", "j", "next row"],
  ["list.previous", "k", "previous row"],
  ["ask.open", "Enter", "open"],
  ["ask.next", "n", "next that needs me"],
  ["ask.allow", "a", "allow once (Care: then Enter; Danger: type the match word)"],
  ["ask.stop_asking", "A", "stop asking for this here…"],
  ["ask.allow_for", "m", "allow for some minutes…"],
  ["ask.allow_session", "s", "allow for this session"],
  ["ask.always", "R", "always: write a rule…"],
  ["ask.deny", "d", "deny"],
  ["ask.deny_tell", "D", "deny and tell…"],
  ["ask.deny_here", "N", "always deny…"],
  ["ask.edit", "e", "edit the input…"],
  ["ask.deny_stop", "x", "deny and stop the turn"],
  ["ask.hand_back", "t", "leave for the terminal"],
  ["ask.alike", "=", "answer those like it, too…"],
  ["ask.note", "", "allow with a note…"],
  ["ask.cancel", "", "cancel the form"],
  ["ask.undo", "u", "undo while possible"],
  ["ask.raw", "r", "raw JSON"],
  ["ask.copy", "y", "copy"],
  ["ask.queue", "c", "queue an instruction"],
  ["ask.jump", "T", "go to its terminal"],
  ["ask.test", "", "send a test ask"],
  ["ask.end", "End", "to the end of the text"],
  ["view.diff", "v", "diff: the next way to draw it"],
  ["view.previous", "[", "previous file or hunk"],
  ["view.next", "]", "next file or hunk"],
  ["view.pick", "1-9", "pick an option (question only)"],
  ["view.other", "o", "other answer (question only)"],
  ["view.peek", "Space", "page down"],
  ["list.filter", "/", "filter"],
  ["page.palette", ":", "command palette"],
  ["page.help", "?", "help for this screen"],
  ["page.quiet", "z", "quiet 15 min / 1 h / until morning"],
  ["page.back", "q", "back; never answers"],
  ["feed.lanes", "L", "lanes"],
  ["go.inbox", "g i", "go to Inbox"],
  ["go.sessions", "g s", "go to Sessions"],
  ["go.feed", "g f", "go to Feed"],
  ["go.log", "g l", "go to Log"],
  ["go.rules", "g r", "go to Rules"],
  ["go.grants", "g a", "go to Grants"],
  ["go.settings", "g ,", "go to Settings"],
];
