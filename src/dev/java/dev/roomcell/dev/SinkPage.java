package dev.roomcell.dev;

/** The page of the sink: a column for each room, what its clients saw from top to bottom, and the gaps in it. */
final class SinkPage {
    private SinkPage() {}

    static final String HTML = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <title>What the rooms' clients see</title>
            <style>
              body { font: 14px system-ui, sans-serif; margin: 1rem; background: #fafafa; color: #222; }
              h1 { font-size: 1.1rem; }
              #rooms { display: flex; gap: 1rem; overflow-x: auto; align-items: flex-start; }
              section { flex: 0 0 24rem; background: #fff; border: 1px solid #ddd; border-radius: 6px; padding: .5rem; }
              h2 { font-size: 1rem; margin: 0 0 .5rem; }
              ol { list-style: none; margin: 0; padding: 0; max-height: 80vh; overflow-y: auto; }
              li { padding: .2rem .3rem; border-top: 1px solid #eee; overflow-wrap: anywhere; }
              li.gap { background: #fff3cd; }
              li.late { background: #f8d7da; }
              b { font-weight: 600; }
              small { color: #777; }
            </style>
            <h1>What the rooms' clients see <small id="state">connecting</small></h1>
            <div id="rooms"></div>
            <script>
              const MOST = 500;
              const rooms = new Map();
              const state = document.getElementById('state');

              function room(message) {
                const name = message.app_code + '/' + message.room_id;
                if (!rooms.has(name)) {
                  const section = document.createElement('section');
                  const head = document.createElement('h2');
                  head.textContent = name;
                  const list = document.createElement('ol');
                  section.append(head, list);
                  document.getElementById('rooms').append(section);
                  rooms.set(name, { list, version: 0n, index: -1 });
                }
                return rooms.get(name);
              }

              function line(list, text, kind) {
                const item = document.createElement('li');
                item.className = kind;
                item.append(...text);
                list.append(item);
                while (list.children.length > MOST) list.firstChild.remove();
                list.scrollTop = list.scrollHeight;
              }

              function bold(text) {
                const b = document.createElement('b');
                b.textContent = text;
                return b;
              }

              function show(message) {
                const seen = room(message);
                if (message.to_user_id !== undefined) {
                  const what = 'to ' + message.to_user_id + ' alone: ' + message.type;
                  line(seen.list, [bold(what), ' ' + JSON.stringify(message.payload)], '');
                  return;
                }
                if (message.index === undefined) {
                  const what = message.type + ' ' + message.display_type;
                  line(seen.list, [bold(what), ' ' + JSON.stringify(message.payload)], '');
                  return;
                }
                const version = BigInt(message.room_version);
                const later = version > seen.version || (version === seen.version && message.index > seen.index);
                if (seen.version > 0n && version > seen.version + 1n) {
                  line(seen.list, ['versions ' + (seen.version + 1n) + ' to ' + (version - 1n) + ' not seen'], 'gap');
                }
                const label = bold(message.room_version + ':' + message.index + ' ' + message.type);
                line(seen.list, [label, ' ' + JSON.stringify(message.payload)], later ? '' : 'late');
                if (later) {
                  seen.version = version;
                  seen.index = message.index;
                }
              }

              const source = new EventSource('/messages');
              source.onopen = () => {
                rooms.clear();
                document.getElementById('rooms').replaceChildren();
                state.textContent = 'live';
              };
              source.onerror = () => { state.textContent = 'not connected'; };
              source.onmessage = event => show(JSON.parse(event.data));
            </script>
            </html>
            """;
}
