package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class OpenFilesTest {
  @Test
  public void limitInForceIsRead() {
    String limits =
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max core file size        0                    unlimited            bytes
        Max open files            1024                 524288               files
        Max locked memory         8388608              8388608              bytes
        """;
    assertThat(OpenFiles.parse(limits)).isEqualTo(1024);
  }

  @Test
  public void whatIsNoNumberIsNoLimit() {
    assertThat(OpenFiles.parse("Max open files            unlimited            unlimited  files"))
        .isEqualTo(Integer.MAX_VALUE);
    assertThat(OpenFiles.parse("Max open files")).isEqualTo(Integer.MAX_VALUE);
    assertThat(OpenFiles.parse("")).isEqualTo(Integer.MAX_VALUE);
  }
}
