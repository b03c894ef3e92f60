package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.PROFILE;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Profile.Field;
import dev.roomcell.domain.Profile.RoomBackgroundChanged;
import dev.roomcell.domain.Profile.RoomProfileUpdated;
import dev.roomcell.domain.Profile.SetRoomBackground;
import dev.roomcell.domain.Profile.UpdateRoomProfile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProfileTest {
    @Test
    void onlyWhatIsNamedChangesAndOnlyWhatIsNotAsBeforeIsTold() {
        Profile after = new Profile(OWNER, "Coffee", "GB", "", "https://x/back");
        given(created())
                .when(new UpdateRoomProfile(OWNER, Optional.of("Coffee"), Optional.of("GB"), Optional.of("")))
                .then(
                        new Profile.Updated(2, after),
                        new RoomProfileUpdated("Coffee", "GB", "", List.of(Field.TITLE, Field.COVER_URL)))
                .when(new UpdateRoomProfile(OWNER, Optional.empty(), Optional.of("US"), Optional.empty()))
                .then(
                        new Profile.Updated(3, new Profile(OWNER, "Coffee", "US", "", "https://x/back")),
                        new RoomProfileUpdated("Coffee", "US", "", List.of(Field.REGION)));
    }

    @Test
    void aProfileThatIsSoAlreadyMakesNoVersion() {
        given(created())
                .when(new UpdateRoomProfile(OWNER, Optional.of("Tea at five"), Optional.empty(), Optional.empty()))
                .thenUnchanged(new Profile.Updated(1, PROFILE), Optional.empty());
    }

    @Test
    void theBackgroundIsSetAndRemovedAndTheProfileStays() {
        Story story = given(created())
                .when(new SetRoomBackground(OWNER, ""))
                .then(new Profile.BackgroundSet(2, ""), new RoomBackgroundChanged(""))
                .when(new SetRoomBackground(OWNER, ""))
                .thenUnchanged(new Profile.BackgroundSet(2, ""), Optional.empty())
                .when(new SetRoomBackground(OWNER, "https://x/other"))
                .then(new Profile.BackgroundSet(3, "https://x/other"), new RoomBackgroundChanged("https://x/other"));

        assertThat(story.state().profile())
                .isEqualTo(new Profile(OWNER, "Tea at five", "GB", "https://x/cover", "https://x/other"));
    }

    @Test
    void adminsMayAndTheAudienceMayNot() {
        UpdateRoomProfile byBen = new UpdateRoomProfile(BEN, Optional.of("Mine"), Optional.empty(), Optional.empty());
        given(created())
                .when(byBen)
                .thenRejected(Rejection.Reason.NEED_ADMIN)
                .when(new SetRoomBackground(BEN, ""))
                .thenRejected(Rejection.Reason.NEED_ADMIN)
                .happened(new Moderation.RoomAdminChanged(BEN, true))
                .when(byBen)
                .then(
                        new Profile.Updated(3, new Profile(OWNER, "Mine", "GB", "https://x/cover", "https://x/back")),
                        new RoomProfileUpdated("Mine", "GB", "https://x/cover", List.of(Field.TITLE)));
    }
}
