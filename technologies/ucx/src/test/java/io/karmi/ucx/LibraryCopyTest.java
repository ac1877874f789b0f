package io.karmi.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

/** Nothing of jucx stays in the temporary directory, however a process ends. */
public class LibraryCopyTest {
  @Test
  public void onlyTheCopyThatJucxHasMadeIsMeant() {
    assertThat(
            LibraryCopy.copies(
                List.of(
                    "7f2-7f3 r-xp 0 fe:01 12   /tmp/jucx123/libjucx.so",
                    "7f3-7f4 rw-p 0 fe:01 12   /tmp/jucx123/libjucx.so",
                    "7f4-7f5 rw-p 0 fe:01 13   /tmp/jucx9/libjucx.so (deleted)",
                    "7f5-7f6 rw-p 0 fe:01 14   /usr/lib/libjucx.so",
                    "7f6-7f7 rw-p 0 fe:01 15   /usr/lib/libucp.so.0",
                    "7f7-7f8 rw-p 0 00:00 0")))
        .containsExactly(Path.of("/tmp/jucx123/libjucx.so"));
  }

  @Test
  public void fabricLeavesNoCopyOfTheLibrary() throws Exception {
    Fabric fabric;
    try {
      fabric = Fabric.acquire();
    } catch (IOException e) {
      assumeNoException("no UCX here (Debian: libucx0)", e);
      return;
    }
    try {
      List<String> mapped = Files.readAllLines(Path.of("/proc/self/maps"));
      assertThat(mapped).anyMatch(line -> line.contains("/libjucx.so"));
      assertThat(LibraryCopy.copies(mapped)).isEmpty();
    } finally {
      fabric.release();
    }
  }
}
