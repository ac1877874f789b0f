package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.rmi.ConnectIOException;
import java.rmi.ServerException;
import org.junit.Test;

public class ForeignPeerExceptionTest {
  @Test
  public void programsWithoutKarmiCanReadIt() throws Exception {
    ForeignPeerException thrown =
        new ForeignPeerException("no KaRMI there", new EOFException("closed"));
    thrown.addSuppressed(new IllegalStateException("beside"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new ServerException("handed on", thrown));
    }
    String name = ForeignPeerException.class.getName();
    assertThat(bytes.toString(StandardCharsets.ISO_8859_1))
        .doesNotContain((char) name.length() + name);
    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    Throwable read = ((Throwable) in.readObject()).getCause();
    assertThat(read)
        .isExactlyInstanceOf(ConnectIOException.class)
        .hasMessage(thrown.getMessage())
        .hasCauseExactlyInstanceOf(EOFException.class);
    assertThat(read.getStackTrace()).isEqualTo(thrown.getStackTrace());
    assertThat(read.getSuppressed()).hasSize(1);
  }
}
