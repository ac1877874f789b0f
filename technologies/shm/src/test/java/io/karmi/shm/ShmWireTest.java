package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

/** What docs/wire-format.md, 3.10, says about memory that is shared. */
public class ShmWireTest {
  /** Both ways more than a ring holds, several times. */
  private static final int VALUES = 100_000;

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (?:at )?(\\d+) \\|");

  private static Map<String, Integer> numbersOnThePage() throws IOException {
    Path base = Path.of("").toAbsolutePath();
    while (!Files.exists(base.resolve("docs/wire-format.md"))) {
      base = base.getParent();
    }
    String page = Files.readString(base.resolve("docs/wire-format.md"));
    String section = page.substring(page.indexOf("\n## 3.10 "), page.indexOf("\n# 4. "));
    Map<String, Integer> numbers = new HashMap<>();
    Matcher rows = ROW.matcher(section);
    while (rows.find()) {
      numbers.put(rows.group(1), Integer.parseInt(rows.group(2)));
    }
    return numbers;
  }

  /** A node whose object returns each of many numbers, plus one. */
  private static Callee successors() {
    return new Callee(
        (call, in, out) -> {
          long[] values = new long[VALUES];
          for (int i = 0; i < VALUES; i++) {
            values[i] = in.readLong();
          }
          in.endArguments();
          out.beginResult();
          for (long value : values) {
            out.writeLong(value + 1);
          }
        });
  }

  private static WireBytes numbersFrom(long first) {
    WireBytes all = new WireBytes();
    for (int i = 0; i < VALUES; i++) {
      all.int64(first + i);
    }
    return all;
  }

  @Test
  public void peerMadeOfThePageAloneCallsANode() throws Exception {
    Callee node = successors();
    try (ShmTechnology server = Shared.open(node)) {
      TechnologyId way = server.listen(0);
      WrittenDoor door = new WrittenDoor(ManualOpener.socket(way), numbersOnThePage());
      try (RawPeer peer = RawPeer.introduced(door, 1, 2)) {
        byte[] request = request(peer).raw(numbersFrom(0)).toArray();
        peer.message(RawPeer.CALL, request);
        byte[] expected = new WireBytes().u8(RawPeer.RETURNED).raw(numbersFrom(1)).toArray();
        assertThat(peer.reply()).isEqualTo(expected);
      }
    }
    assertThat(node.calls()).isEqualTo(1);
  }

  private static WireBytes request(RawPeer peer) {
    return peer.request(Callee.OBJECT, Callee.METHODS.methodHash(0));
  }
}
