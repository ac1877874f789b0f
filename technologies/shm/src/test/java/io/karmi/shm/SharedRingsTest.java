package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SharedRingsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final byte[] secret = new byte[SharedRings.SECRET_BYTES];
  private Path file;

  @Before
  public void choosePath() {
    file = folder.getRoot().toPath().resolve("rings");
    Arrays.fill(secret, (byte) 7);
  }

  @Test
  public void bothEndsSeeTheSameMemoryAndSecret() throws Exception {
    SharedRings accepted;
    try (FileChannel made = SharedRings.create(file, secret, SharedRings.CAPACITY)) {
      accepted = SharedRings.accepted(made, SharedRings.CAPACITY);
    }
    byte[] read = new byte[secret.length];
    SharedRings opened = SharedRings.open(file, read, SharedRings.CAPACITY);
    assertThat(SharedRings.isSame(secret, read)).isTrue();
    Files.delete(file);
    byte[] bytes = {1, 2, 3};
    opened.writer.write(bytes, 0, 3);
    byte[] got = new byte[3];
    assertThat(accepted.reader.read(got, 0, 3)).isEqualTo(3);
    assertThat(got).isEqualTo(bytes);
    accepted.writer.write(bytes, 0, 2);
    assertThat(opened.reader.available()).isEqualTo(2);
  }

  @Test
  public void fileIsItsUsersAlone() throws Exception {
    SharedRings.create(file, secret, SharedRings.CAPACITY).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  public void fileThatIsThereIsNotTakenOver() throws Exception {
    Files.createFile(file);
    assertThatThrownBy(() -> SharedRings.create(file, secret, SharedRings.CAPACITY))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  public void fileOfAnotherKindIsRefused() throws Exception {
    byte[] read = new byte[secret.length];
    assertThatThrownBy(() -> SharedRings.open(file, read, SharedRings.CAPACITY))
        .isInstanceOf(IOException.class);
    SharedRings.create(file, secret, SharedRings.CAPACITY).close();
    byte[] all = Files.readAllBytes(file);
    Path other = folder.getRoot().toPath().resolve("other");
    all[0] = 0;
    Files.write(other, all);
    assertThatThrownBy(() -> SharedRings.open(other, read, SharedRings.CAPACITY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no memory of a KaRMI connection");
    Files.write(other, Arrays.copyOf(all, 100));
    assertThatThrownBy(() -> SharedRings.open(other, read, SharedRings.CAPACITY))
        .isInstanceOf(IOException.class);
    Files.delete(other);
    Files.createSymbolicLink(other, file);
    assertThatThrownBy(() -> SharedRings.open(other, read, SharedRings.CAPACITY))
        .isInstanceOf(IOException.class);
  }

  @Test
  public void fileOfProcessorWithTheOtherByteOrderIsRefused() throws Exception {
    SharedRings.create(file, secret, SharedRings.CAPACITY).close();
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
    Files.write(file, all.putLong(0, Long.reverseBytes(all.getLong(0))).array());
    assertThatThrownBy(() -> SharedRings.open(file, secret, SharedRings.CAPACITY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("byte order");
  }
}
