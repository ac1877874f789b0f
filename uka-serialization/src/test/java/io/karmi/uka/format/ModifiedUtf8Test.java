package io.karmi.uka.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.buffer.InputBuffer;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import org.junit.Test;

public class ModifiedUtf8Test {
  @Test
  public void aCharacterOfMoreBytesIsSeenWhereverItStands() throws Exception {
    for (int length = 0; length <= 40; length++) {
      for (int at = 0; at <= length; at++) {
        StringBuilder text = new StringBuilder("a".repeat(length));
        if (at < length) {
          text.setCharAt(at, '\u00e9');
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new DataOutputStream(bytes).writeUTF("\u00fc" + text + "\u00fc");
        /* Between others, which are not looked at. */
        int start = 4;
        int end = bytes.size() - 2;
        InputBuffer in = new InputBuffer(bytes.toByteArray(), start, end);
        assertThat(ModifiedUtf8.read(in, end - start)).isEqualTo(text.toString());
        assertThat(in.position).isEqualTo(end);
      }
    }
  }
}
