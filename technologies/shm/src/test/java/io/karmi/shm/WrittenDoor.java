package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Channel;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.IntroducedChannel;
import io.karmi.contract.hostile.LocalDoor;
import io.karmi.contract.hostile.LocalDoor.LocalChannel;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A node that shares memory, met by a peer that is made of docs/wire-format.md, 3.10, alone: it has
 * its numbers from the tables there, and uses none of the classes that it tests.
 */
final class WrittenDoor implements Door {
  private static final long MOST_MILLIS = 60_000;

  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final LocalDoor door;
  private final Map<String, Integer> numbers;

  WrittenDoor(Path socket, Map<String, Integer> numbers) {
    door = new LocalDoor(socket);
    this.numbers = numbers;
  }

  @Override
  public Channel open() throws IOException {
    return new WrittenChannel(door.open(), numbers);
  }

  private static final class WrittenChannel extends IntroducedChannel {
    private final LocalChannel socket;
    private final Map<String, Integer> numbers;
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private long stored;
    private long taken;

    WrittenChannel(LocalChannel socket, Map<String, Integer> numbers) {
      this.socket = socket;
      this.numbers = numbers;
    }

    private int number(String name) {
      Integer number = numbers.get(name);
      assertThat(number).as("%s in the tables of the page: %s", name, numbers).isNotNull();
      return number;
    }

    private long word(String ring, String word) {
      return (long) WORD.getVolatile(memory, number(ring) + number(word));
    }

    private void set(String ring, String word, long value) {
      WORD.setVolatile(memory, number(ring) + number(word), value);
    }

    private void ringIfAsleep(String ring, String flag) throws IOException {
      VarHandle.fullFence();
      if ((long) WORD.getAndSet(memory, number(ring) + number(flag), 0L) != 0) {
        socket.out().write(1);
      }
    }

    /** False if the node has closed the connection. */
    private boolean awaitBell() throws IOException {
      long start = System.nanoTime();
      socket.awaitMore(MOST_MILLIS);
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
        throw new SocketTimeoutException("the node does not ring, and this end has said it sleeps");
      }
      return socket.drain();
    }

    @Override
    protected InputStream socketIn() {
      return socket.in();
    }

    @Override
    protected OutputStream socketOut() {
      return socket.out();
    }

    @Override
    protected void meet() throws IOException {
      DataInputStream in = new DataInputStream(socket.in());
      byte[] path = new byte[in.readUnsignedShort()];
      in.readFully(path);
      try (FileChannel file =
          FileChannel.open(
              Path.of(new String(path, StandardCharsets.UTF_8)),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        assertThat(file.size()).isEqualTo(number("file"));
        memory = file.map(FileChannel.MapMode.READ_WRITE, 0, number("file"));
      }
      byte[] magic = new byte[8];
      memory.get(number("magic"), magic);
      assertThat(magic).isEqualTo("KaRMIshm".getBytes(StandardCharsets.US_ASCII));
      byte[] secret = new byte[16];
      memory.get(number("secret"), secret);
      socket.out().write(secret);
      assertThat(in.read()).as("the acceptor agrees").isEqualTo(1);
    }

    @Override
    protected int readOn(byte[] to, int offset, int length) throws IOException {
      boolean there = true;
      while (word("back", "committed") == taken) {
        if (!there) {
          return -1;
        }
        set("back", "consumerAsleep", 1);
        if (word("back", "committed") == taken) {
          there = awaitBell();
        }
        set("back", "consumerAsleep", 0);
      }
      int count = (int) Math.min(length, word("back", "committed") - taken);
      for (int i = 0; i < count; i++) {
        to[offset + i] = memory.get(at("back", taken + i));
      }
      taken += count;
      set("back", "consumed", taken);
      ringIfAsleep("back", "producerAsleep");
      return count;
    }

    private int at(String ring, long position) {
      return number(ring) + number("data") + (int) (position % number("capacity"));
    }

    private boolean isFull() {
      return stored - word("there", "consumed") == number("capacity");
    }

    @Override
    protected void writeOn(byte[] from, int offset, int length) throws IOException {
      for (int done = 0; done < length; ) {
        awaitRoom();
        long room = word("there", "consumed") + number("capacity") - stored;
        int count = (int) Math.min(length - done, room);
        for (int i = 0; i < count; i++) {
          memory.put(at("there", stored + i), from[offset + done + i]);
        }
        done += count;
        stored += count;
        set("there", "committed", stored);
        ringIfAsleep("there", "consumerAsleep");
      }
    }

    private void awaitRoom() throws IOException {
      while (isFull()) {
        set("there", "producerAsleep", 1);
        if (isFull()) {
          if (!awaitBell()) {
            throw new EOFException("the node has closed the connection");
          }
        }
        set("there", "producerAsleep", 0);
      }
    }

    @Override
    public void endOutput() throws IOException {
      socket.endOutput();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
