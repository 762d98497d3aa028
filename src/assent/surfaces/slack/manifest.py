"""The app one makes for oneself at Slack: what it is called, and the little it may do."""

MANIFEST = """\
display_information:
  name: Assent
  description: Answer what your coding agents ask
features:
  app_home:
    home_tab_enabled: false
    messages_tab_enabled: true
    messages_tab_read_only_enabled: false
  bot_user:
    display_name: assent
    always_online: false
oauth_config:
  scopes:
    bot:
      - chat:write
      - im:history
      - im:write
settings:
  event_subscriptions:
    bot_events:
      - message.im
  interactivity:
    is_enabled: true
  org_deploy_enabled: false
  socket_mode_enabled: true
  token_rotation_enabled: false
"""

GUIDE = f"""\
Make an app of your own at https://api.slack.com/apps, for Assent alone: Create New App, From a manifest,
pick your workspace, and paste this as YAML:

{MANIFEST}
Then, on the pages of the app:
  1. Basic Information, App-Level Tokens, Generate: with the scope connections:write. It begins with xapp-.
  2. Install App, Install to Workspace: the Bot User OAuth Token. It begins with xoxb-."""
