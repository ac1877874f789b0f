package io.karmi.messaging;

import io.karmi.messaging.channel.ChannelEnd;
import io.karmi.messaging.channel.SentGraph;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A channel as programs see it.
 *
 * @param end of the channel
 */
record GraphChannel(ChannelEnd end) implements ObjectChannel {
  private record Handle(SentGraph sent) implements SendHandle {
    @Override
    public boolean isDone() throws IOException {
      return sent.isDone();
    }

    @Override
    public void await() throws IOException {
      sent.await();
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws IOException {
      return sent.await(time, unit);
    }
  }

  @Override
  public void write(@Nullable Object graph) throws IOException {
    end.write(graph);
  }

  @Override
  public SendHandle writeAsync(@Nullable Object graph) throws IOException {
    return new Handle(end.send(graph));
  }

  @Override
  public SendHandle writeElements(@Nullable Object[] elements, int count) throws IOException {
    Objects.checkFromToIndex(0, count, elements.length);
    return writeAsync(count == elements.length ? elements : Arrays.copyOf(elements, count));
  }

  @Override
  public @Nullable Object read() throws IOException, ClassNotFoundException {
    return end.read();
  }

  @Override
  public boolean isReadable() throws IOException {
    return end.isReadable();
  }

  @Override
  public void close() throws IOException {
    end.close();
  }

  @Override
  public String toString() {
    return end.toString();
  }
}
