package dev.roomcell.adapter.rtc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlOutcomeTest {
    @ParameterizedTest
    @CsvSource({
        "FailedOperation.RoomNotExist, NOT_THERE, true",
        "FailedOperation.UserNotExist, NOT_THERE, true",
        "InternalError.UserNotExist, NOT_THERE, true",
        "FailedOperation, FAILED, false",
        "FailedOperation.SdkAppIdNotExist, REFUSED, false",
        "InternalError, FAILED, false",
        "InternalError.GetRoomFromCacheError, FAILED, false",
        "InternalError.GetRoomCacheIpError, FAILED, false",
        "RequestLimitExceeded, RATE_LIMITED, false",
        "RequestLimitExceeded.UinLimitExceeded, RATE_LIMITED, false",
        "LimitExceeded, RATE_LIMITED, false",
        "AuthFailure.SignatureFailure, REFUSED, false",
        "AuthFailure.SecretIdNotFound, REFUSED, false",
        "UnauthorizedOperation.SdkAppId, REFUSED, false",
        "InvalidParameter.SdkAppId, REFUSED, false",
        "InvalidParameterValue.RoomId, REFUSED, false",
        "MissingParameter.RoomId, REFUSED, false",
        "UnsupportedRegion, REFUSED, false",
        "ResourceNotFound, FAILED, false",
        "Whatever.Comes, FAILED, false",
        "'', FAILED, false"
    })
    void everyCodeHasItsMeaning(String code, ControlOutcome outcome, boolean good) {
        assertThat(ControlOutcome.of(code)).isEqualTo(outcome);
        assertThat(outcome.isGood()).isEqualTo(good);
    }
}
